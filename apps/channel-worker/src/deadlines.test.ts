import { openDeadlines } from './deadlines';

const settings = { addressedMs: 30, campaignMs: 60, cutoff: new AbortController().signal };
const DAY_MS = 86_400_000;
const ended = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve((signal.reason as Error).name)));

test('a call ends at the deadline of its kind', async () => {
  const deadlines = openDeadlines(settings);
  const campaign = deadlines.begin({ isAddressed: false, ttlMs: DAY_MS });
  const addressed = deadlines.begin({ isAddressed: true, ttlMs: DAY_MS });
  expect(await ended(addressed.signal)).toBe('TimeoutError');
  expect(campaign.signal.aborted).toBe(false);
  expect(await ended(campaign.signal)).toBe('TimeoutError');
});

test('a call ends with its push, and has a second at least', async () => {
  const deadlines = openDeadlines({ ...settings, campaignMs: DAY_MS });
  const began = performance.now();
  await ended(deadlines.begin({ isAddressed: false, ttlMs: 5 }).signal);
  expect(performance.now() - began).toBeGreaterThanOrEqual(990);
});

test('a call that has ended is not ended again', async () => {
  const call = openDeadlines(settings).begin({ isAddressed: true, ttlMs: DAY_MS });
  call.end();
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(call.signal.aborted).toBe(false);
});

test('a process that must stop ends all of its calls, and later ones before they begin', () => {
  const cutoff = new AbortController();
  const deadlines = openDeadlines({ ...settings, cutoff: cutoff.signal });
  const calls = [1, 2].map(() => deadlines.begin({ isAddressed: false, ttlMs: DAY_MS }));
  cutoff.abort();
  calls.push(deadlines.begin({ isAddressed: false, ttlMs: DAY_MS }));
  expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, true, true]);
  calls.forEach((call) => call.end());
});
