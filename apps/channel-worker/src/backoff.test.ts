import { backoffMs, pauseMs, triesAfter, waitMs } from './backoff';

const least = (): number => 0;
const most = (): number => 1;

test.each([
  [0, 50, 500],
  [1, 100, 1000],
  [4, 800, 8000],
  [7, 6000, 60_000],
  [1000, 6000, 60_000],
])('after %d tries in vain the pause is between %d and %d ms', (tries, min, max) => {
  expect([backoffMs(tries, least), backoffMs(tries, most)]).toEqual([min, max]);
});

test('what a vendor asks for is the least that it gets, and the spread stays small', () => {
  expect([waitMs(2000, least), waitMs(2000, most)]).toEqual([2000, 2400]);
  expect(waitMs(3_600_000, most)).toBe(3_601_000);
});

test('the wish of a vendor counts where the fault is one that waits, and nowhere else', () => {
  const wait = (pause: 'wait' | 'backoff', retryAfterMs: number | undefined): number =>
    pauseMs({ pause, retryAfterMs }, 0);
  expect(wait('wait', 90_000)).toBeGreaterThanOrEqual(90_000);
  expect(wait('wait', undefined)).toBeLessThanOrEqual(500);
  expect(wait('backoff', 90_000)).toBeLessThanOrEqual(500);
});

test('pauses grow by tries in vain, and not by waits', () => {
  const [backoff, wait] = [{ pause: 'backoff', retryAfterMs: 5 } as const, { pause: 'wait', retryAfterMs: 5 } as const];
  expect([
    triesAfter(undefined, 3),
    triesAfter(backoff, 3),
    triesAfter({ ...wait, retryAfterMs: undefined }, 3),
  ]).toEqual([4, 4, 4]);
  expect([triesAfter(wait, 3), triesAfter({ ...backoff, isHeld: true }, 3), triesAfter(wait, 0)]).toEqual([3, 3, 1]);
});
