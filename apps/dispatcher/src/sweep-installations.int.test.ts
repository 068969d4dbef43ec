import { SHARDS, underLease } from '@pushfleet/store';
import { unique } from '@pushfleet/testing';
import { openAttempt } from './attempts';
import { attempt, dispatcherUnderTest, fail } from './testing/dispatcher-under-test';
import { sweepInstallations } from './sweep-installations';

const t = dispatcherUnderTest();
const DAY = 86_400_000;
const rules = { staleMs: 90 * DAY, deadMs: 120 * DAY, everyMs: DAY };
const later = (days: number) => ({
  store: t.store,
  now: () => Date.now() + days * DAY,
  stopping: new AbortController().signal,
  attempt,
  onLeaseError: fail,
});

const brief = { ...rules, everyMs: 1 };

test('the unseen leave the audience first and the store later', async () => {
  const [a, b] = [await t.createApp(), await t.createApp()];
  await Promise.all([t.register(a, [{}, {}]), t.register(b, [{}])]);
  expect(await sweepInstallations(later(89), brief)).toEqual({ stale: 0, removed: 0 });
  expect(await sweepInstallations(later(91), brief)).toEqual({ stale: 3, removed: 0 });
  // What is removed within thirty days is announced.
  expect(await t.store.installations.unseen()).toEqual({ kept: 3, ending: 3 });
  expect(await sweepInstallations(later(121), brief)).toEqual({ stale: 0, removed: 3 });
  expect(await t.store.installations.unseen()).toEqual({ kept: 0, ending: 0 });
});

test('an app whose record is damaged is swept as the others are', async () => {
  const app = await t.createApp();
  await t.register(app, [{}]);
  await t.spoilApp(app.id);
  expect(await sweepInstallations(later(91), brief)).toEqual({ stale: 1, removed: 0 });
});

test('bindings of chat clients outlive their installation, and not for ever', async () => {
  const app = await t.createApp();
  const installationId = unique('i');
  await t.register(app, [{ installationId }]);
  const { bindings } = t.store.messaging;
  await bindings.bind(app.id, { client: 'Tom', installationId });
  const left = async () => (await bindings.of(app.id, ['Tom'])).get('Tom');
  await sweepInstallations(later(121), brief);
  expect(await t.store.installations.count(app.id)).toBe(0);
  for (const days of [122, 210]) await sweepInstallations(later(days), brief);
  expect(await left()).toEqual([installationId]);
  await sweepInstallations(later(213), brief);
  expect(await left()).toBeUndefined();
});

test('an app is swept once in a while, by whoever comes first', async () => {
  await t.register(await t.createApp(), [{}]);
  const swept = await Promise.all([1, 2, 3].map(() => sweepInstallations(later(91), rules)));
  expect(swept.reduce((all, { stale }) => all + stale, 0)).toBe(1);
});

test('a process that stops sweeps no further', async () => {
  await t.register(await t.createApp(), [{}]);
  const stopped = { ...later(200), stopping: AbortSignal.abort() };
  expect(await sweepInstallations(stopped, rules)).toEqual({ stale: 0, removed: 0 });
});

test('nobody sweeps an app that another one sweeps', async () => {
  const app = await t.createApp();
  await t.register(app, [{}]);
  await underLease({ leases: t.store.leases, name: `sweep ${app.id}`, onError: fail }, async () => {
    expect(await sweepInstallations(later(91), rules)).toEqual({ stale: 0, removed: 0 });
  });
  expect(await sweepInstallations(later(91), rules)).toEqual({ stale: 1, removed: 0 });
});

test('a shard that fails is told, the others are swept, and the app does not count as swept', async () => {
  const app = await t.createApp();
  await t.register(app, [{}, {}]);
  const [lost, failed]: [Error, unknown[]] = [new Error('WRONGTYPE'), []];
  const { isSwept, sweep, unseen } = t.store.installations;
  const sweepSome: typeof sweep = (...args) => (args[1] === 0 ? Promise.reject(lost) : sweep(...args));
  const store = { ...t.store, installations: { ...t.store.installations, sweep: sweepSome } };
  const trying = openAttempt((error, turn) => void failed.push([error, turn]));
  await sweepInstallations({ ...later(91), store, attempt: trying }, rules);
  expect(failed).toEqual([[lost, { app: app.id, shard: 0 }]]);
  expect([await isSwept(app.id), await unseen()]).toEqual([false, { kept: 0, ending: 0 }]);
  // The next round sweeps all of it, and the one after that nothing.
  await sweepInstallations(later(91), rules);
  expect([await isSwept(app.id), await unseen()]).toEqual([true, { kept: 2, ending: 2 }]);
  expect(await sweepInstallations(later(200), rules)).toEqual({ stale: 0, removed: 0 });
});

test('a sweep that was cut off is made again in the next round', async () => {
  const app = await t.createApp();
  await t.register(app, [{}]);
  const cut = new AbortController();
  const { isSwept, sweep } = t.store.installations;
  const sweepOne: typeof sweep = (...args) => {
    cut.abort();
    return sweep(...args);
  };
  const store = { ...t.store, installations: { ...t.store.installations, sweep: sweepOne } };
  await sweepInstallations({ ...later(1), store, stopping: cut.signal }, rules);
  expect(await isSwept(app.id)).toBe(false);
  await sweepInstallations(later(91), rules);
  expect([await isSwept(app.id), await t.store.installations.unseen()]).toEqual([true, { kept: 1, ending: 1 }]);
});

test('nothing is kept of an app that was deleted while it was swept', async () => {
  const app = await t.createApp();
  await t.register(app, [{}]);
  const { isSwept, sweep, unseen } = t.store.installations;
  const sweepLast: typeof sweep = async (...args) => {
    const swept = await sweep(...args);
    if (args[1] === SHARDS - 1) await t.store.apps.remove(app.id);
    return swept;
  };
  const store = { ...t.store, installations: { ...t.store.installations, sweep: sweepLast } };
  expect(await sweepInstallations({ ...later(91), store }, rules)).toEqual({ stale: 1, removed: 0 });
  expect([await isSwept(app.id), await unseen()]).toEqual([false, { kept: 0, ending: 0 }]);
});

test('a whole sweep tells which columns there are, and one that was cut off does not', async () => {
  const app = await t.createApp();
  await t.register(app, [{ level: 3 }]);
  const { channels, columnNames } = t.store.installations;
  await channels.noteFleet({ now: Date.now(), isFresh: async () => true });
  const cut = new AbortController();
  const noteUnseen = async () => Promise.reject(new Error('the sweep was cut off, and went on'));
  const sweep: typeof t.store.installations.sweep = async (...args) => {
    cut.abort();
    return t.store.installations.sweep(...args);
  };
  const cutOff = { ...t.store, installations: { ...t.store.installations, sweep, noteUnseen } };
  await sweepInstallations({ ...later(1), store: cutOff, stopping: cut.signal }, brief);
  expect(await columnNames.missing(app.id, ['levle'])).toEqual([]);
  await sweepInstallations(later(2), brief);
  expect(await columnNames.missing(app.id, ['level', 'levle'])).toEqual(['levle']);
});
