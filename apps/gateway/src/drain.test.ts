import { drain } from './drain';

test.each([3_600_000, -3_600_000])('devices are kept for their time while the clock is set by %d ms', async (ms) => {
  const server = { size: 1, shut: () => undefined, endAll: async () => undefined };
  const heartbeat = { drain: async () => undefined };
  const log = { info: () => void jest.spyOn(Date, 'now').mockReturnValue(Date.now() + ms) };
  const cutoff = AbortSignal.timeout(2000);
  const begunAt = performance.now();
  await drain({ server, heartbeat, cutoff, drainMs: 300, log });
  jest.restoreAllMocks();
  expect(performance.now() - begunAt).toBeGreaterThanOrEqual(300);
  expect(cutoff.aborted).toBe(false);
});
