import { openFleetClock } from './fleet-clock';

const REDIS_NOW = Date.parse('2026-11-29T12:00:00Z');

it.each([
  ['as far apart as is tolerated', { askedMs: -5000, answeredMs: -4990 }, 0],
  ['ahead', { askedMs: 300_000, answeredMs: 300_020 }, 300_000],
  ['behind', { askedMs: -300_020, answeredMs: -300_000 }, -300_000],
  ['stopped for a minute before Redis was asked', { askedMs: -60_000, answeredMs: 10 }, 0],
  ['stopped for a minute before it read the answer', { askedMs: -10, answeredMs: 60_000 }, 0],
  ['ahead, and stopped for a minute', { askedMs: 300_000, answeredMs: 360_000 }, 300_000],
  ['behind, and stopped for a minute', { askedMs: -360_000, answeredMs: -300_000 }, -300_000],
])('a process that is %s', (_, { askedMs, answeredMs }, aheadMs) => {
  const clock = openFleetClock(() => REDIS_NOW + answeredMs);
  clock.hear(REDIS_NOW + askedMs, REDIS_NOW);
  expect([clock.now(), clock.isOff()]).toEqual([REDIS_NOW + answeredMs - aheadMs, aheadMs !== 0]);
});
