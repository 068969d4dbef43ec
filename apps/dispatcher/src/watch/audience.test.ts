import { openAttempt } from '../attempts';
import { Audience } from './audience';

const channels = new Set(['hms', 'own']);

function anAudience(sizes: Record<string, Record<string, number> | undefined>) {
  const asked: string[] = [];
  const failed: unknown[] = [];
  const audience = new Audience({
    apps: { ids: () => Promise.resolve(Object.keys(sizes)) },
    installations: {
      bucketSizes: (id) => {
        asked.push(id);
        const counts = sizes[id];
        return counts ? Promise.resolve(new Map(Object.entries(counts))) : Promise.reject(new Error('unreadable'));
      },
    },
    channels,
    attempt: openAttempt((_, turn) => void failed.push(turn)),
  });
  return { audience, asked, failed };
}

it('adds up the installations of all apps by road, whatever their profiles', async () => {
  const { audience } = anAudience({
    a: { 'hms/_default': 2, 'hms/game': 3, 'retired:hms': 1, own: 4, ios: 5 },
    b: { 'hms/_default': 10, 'own/_default': 1 },
  });
  expect(await audience.look()).toEqual([
    { channel: 'hms', state: 'target', count: 15 },
    { channel: 'hms', state: 'retired', count: 1 },
    { channel: 'own', state: 'target', count: 5 },
    { channel: 'ios', state: 'unreachable', count: 5 },
  ]);
});

it('tells nothing before every app was counted, and then counts two in each round', async () => {
  const { audience, asked } = anAudience(
    Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`app${i}`, { own: 1 }])),
  );
  expect(await audience.look()).toBeUndefined();
  expect(asked).toHaveLength(20);
  expect(await audience.look()).toEqual([{ channel: 'own', state: 'target', count: 25 }]);
  await audience.look();
  await audience.look();
  expect(asked.slice(25)).toEqual(['app0', 'app1', 'app2', 'app3']);
});

it('forgets an app that was deleted', async () => {
  const sizes: Record<string, Record<string, number>> = { a: { own: 1 }, b: { own: 2 } };
  const { audience } = anAudience(sizes);
  await audience.look();
  delete sizes['b'];
  expect(await audience.look()).toEqual([{ channel: 'own', state: 'target', count: 1 }]);
});

it('counts the others when one app cannot be counted, and that one as it was last', async () => {
  const sizes: Record<string, Record<string, number> | undefined> = { a: undefined, b: { own: 2 } };
  const { audience, failed } = anAudience(sizes);
  expect(await audience.look()).toEqual([{ channel: 'own', state: 'target', count: 2 }]);
  sizes['a'] = { own: 1 };
  await audience.look();
  sizes['a'] = undefined;
  expect(await audience.look()).toEqual([{ channel: 'own', state: 'target', count: 3 }]);
  expect(failed).toEqual([{ app: 'a' }, { app: 'a' }]);
});
