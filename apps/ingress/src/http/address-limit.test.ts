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
  const from = (address: string) => () => count(app, { limit: 'savesPerSecond', address });
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
  expect(taken(20, () => count(one, { limit: 'savesPerSecond', address: 'a' }))).toBe(10);
  expect(taken(20, () => count(one, { limit: 'queriesPerSecond', address: 'a' }))).toBe(20);
  expect(taken(20, () => count(other, { limit: 'savesPerSecond', address: 'a' }))).toBe(10);
  expect(taken(5000, () => count(free, { limit: 'savesPerSecond', address: 'a' }))).toBe(5000);
});

it('the refusal names the limit, its value and when to come back', () => {
  const count = openAddressLimit(() => 0);
  const app = withLimits(1);
  expect(() => taken(11, () => count(app, { limit: 'savesPerSecond', address: 'a' }))).not.toThrow();
  expect(() => count(app, { limit: 'savesPerSecond', address: 'a' })).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(
        /limits\.savesPerSecond.* 1 saves .* 10 at once; a save counts once for every 50 channels/,
      ),
      retryAfterSeconds: 1,
    }),
  );
});

it('what counts several times is taken whole or not at all, and says when it will be', () => {
  let now = 0;
  const count = openAddressLimit(() => now);
  const app = withLimits(10);
  const save = (times: number) => () => {
    count(app, { limit: 'savesPerSecond', address: 'a' });
    count(app, { limit: 'savesPerSecond', address: 'a', times, counted: 1 });
  };
  expect(taken(3, save(40))).toBe(2);
  // The third was counted when it came.
  expect(save(40)).toThrow(expect.objectContaining({ retryAfterSeconds: 3 }));
  now += 3000;
  expect(taken(2, save(40))).toBe(1);
});

it('what counts as more than may come at once is taken when nothing came before', () => {
  const count = openAddressLimit(() => 0);
  const app = withLimits(1);
  count(app, { limit: 'savesPerSecond', address: 'a' });
  count(app, { limit: 'savesPerSecond', address: 'a', times: 40, counted: 1 });
  expect(taken(1, () => count(app, { limit: 'savesPerSecond', address: 'a' }))).toBe(0);
});

it('addresses without number take no memory without bound', () => {
  const count = openAddressLimit(() => 0);
  const app = withLimits(1);
  for (let i = 0; i < 150_000; i += 1) count(app, { limit: 'savesPerSecond', address: `a${i}` });
  expect(taken(20, () => count(app, { limit: 'savesPerSecond', address: 'a149999' }))).toBe(9);
  expect(taken(20, () => count(app, { limit: 'savesPerSecond', address: 'a0' }))).toBe(10);
});
