import { setTimeout as delay } from 'node:timers/promises';
import { openDeadlines } from './deadlines';

const tooLate = () => new Error('too late');

it('work that ends in time settles as it does', async () => {
  const { within } = openDeadlines(10_000, tooLate);
  await expect(within(Promise.resolve('done'))).resolves.toBe('done');
  await expect(within(Promise.reject(new Error('failed')))).rejects.toThrow('failed');
});

it('work that does not is given up, each at its own time', async () => {
  const { within } = openDeadlines(50, tooLate);
  const startedAt = performance.now();
  const endless = Array.from({ length: 3 }, () => within(new Promise(() => undefined)));
  const slow = within(delay(20, 'slow'));
  await expect(slow).resolves.toBe('slow');
  for (const work of endless) await expect(work).rejects.toThrow('too late');
  expect(performance.now() - startedAt).toBeLessThan(2000);
  await expect(within(delay(1, 'later'))).resolves.toBe('later');
});
