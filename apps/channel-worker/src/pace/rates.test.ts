import { Rates } from './rates';

test('nobody waits for as long as the clock was set back', async () => {
  const rates = new Rates({ take: () => Promise.resolve({ waitMs: 500 }) });
  const rate = { kind: 'push', pushId: 'p', channel: 'mi' } as const;
  const waitMs = (): Promise<number> => rates.take({ rate, perSecond: 1000, queue: 'bulk', cost: 1, waiter: 'w' });
  const before = await waitMs();
  const set = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
  const after = await waitMs();
  set.mockRestore();
  expect([before, after]).toEqual([500, expect.any(Number)]);
  expect(after).toBeLessThanOrEqual(500);
});
