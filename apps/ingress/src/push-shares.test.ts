import { LIMITS } from '@pushfleet/domain';
import { openPushShares } from './push-shares';

const BURST = LIMITS.promptPushBurst.value;
const STORM = 'storm';

test('an account within its share never stands back', () => {
  let now = 0;
  const share = openPushShares(() => now);
  for (let i = 0; i < BURST; i += 1) expect(share({ account: STORM, cost: 1 })).toBe(0);
  for (let i = 0; i < 10_000; i += 1) {
    now += 1000 / LIMITS.promptPushesPerSecond.value;
    expect(share({ account: STORM, cost: 1 })).toBe(0);
  }
});

test('a storm stands back the further the more it is, and others do not', () => {
  const share = openPushShares(() => 0);
  const places = Array.from({ length: 4 * BURST }, () => share({ account: STORM, cost: 1 }));
  expect([places[BURST - 1], places[BURST], places[2 * BURST], places[4 * BURST - 1]]).toEqual([0, 1, 2, 3]);
  expect(share({ account: 'other', cost: 1 })).toBe(0);
});

test('a push counts as the work that it makes', () => {
  const share = openPushShares(() => 0);
  const prompt = Array.from({ length: BURST }, () => share({ account: STORM, cost: 4 })).filter((place) => place === 0);
  expect(prompt).toHaveLength(BURST / 4);
});

test('a storm that is over is forgotten', () => {
  let now = 0;
  const share = openPushShares(() => now);
  for (let i = 0; i < 10 * BURST; i += 1) share({ account: STORM, cost: 1 });
  now += ((10 * BURST) / LIMITS.promptPushesPerSecond.value) * 1000;
  expect(share({ account: STORM, cost: 1 })).toBe(0);
});

test('an account stands back no further when the clock is set back', () => {
  let now = 3_600_000;
  const standBack = openPushShares(() => now);
  const push = { account: 'app', cost: 1 };
  expect(standBack(push)).toBe(0);
  now = 0;
  expect(standBack(push)).toBe(0);
});
