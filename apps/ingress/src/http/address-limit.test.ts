import { anApp } from '@pushfleet/testing';
import { openAddressLimit } from './address-limit';

const withLimits = (savesPerSecond: number) => {
  const app = anApp();
  return { ...app, limits: { ...app.limits, savesPerSecond } };
};

const taken = (times: number, count: () => void): number => {
  let done = 0;
  for (let i = 0; i < times; i += 1) {
    try {
      count();
      done += 1;
    } catch (error) {
      expect(error).toMatchObject({ problem: 'too-many-calls' });
    }
  }
  return done;
};

it('an address gets its burst, then its rate, and no other address pays for it', () => {
  let now = 5000;
  const count = openAddressLimit(() => now);
  const app = withLimits(100);
  const from = (address: string) => () => count(app, 'savesPerSecond', address);
  expect(taken(2000, from('a'))).toBe(1000);
  now += 500;
  expect(taken(2000, from('a'))).toBe(50);
  expect(taken(2000, from('b'))).toBe(1000);
  now += 3_600_000;
  expect(taken(2000, from('a'))).toBe(1000);
});

it('apps, saves and queries are counted apart, and 0 is no limit', () => {
  const count = openAddressLimit(() => 0);
  const [one, other, free] = [withLimits(1), withLimits(1), withLimits(0)];
  expect(taken(20, () => count(one, 'savesPerSecond', 'a'))).toBe(10);
  expect(taken(20, () => count(one, 'queriesPerSecond', 'a'))).toBe(20);
  expect(taken(20, () => count(other, 'savesPerSecond', 'a'))).toBe(10);
  expect(taken(5000, () => count(free, 'savesPerSecond', 'a'))).toBe(5000);
});

it('the refusal names the limit, its value and when to come back', () => {
  const count = openAddressLimit(() => 0);
  const app = withLimits(1);
  expect(() => taken(11, () => count(app, 'savesPerSecond', 'a'))).not.toThrow();
  expect(() => count(app, 'savesPerSecond', 'a')).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/limits\.savesPerSecond.* 1 saves/),
      retryAfterSeconds: 1,
    }),
  );
});

it('addresses without number take no memory without bound', () => {
  const count = openAddressLimit(() => 0);
  const app = withLimits(1);
  for (let i = 0; i < 150_000; i += 1) count(app, 'savesPerSecond', `a${i}`);
  expect(taken(20, () => count(app, 'savesPerSecond', 'a149999'))).toBe(9);
  expect(taken(20, () => count(app, 'savesPerSecond', 'a0'))).toBe(10);
});
