import { attempt, dispatcherUnderTest } from './testing/dispatcher-under-test';
import { sweepInstallations } from './sweep-installations';

const t = dispatcherUnderTest();
const DAY = 86_400_000;
const rules = { staleMs: 90 * DAY, deadMs: 120 * DAY, everyMs: DAY };
const later = (days: number) => ({
  store: t.store,
  now: () => Date.now() + days * DAY,
  stopping: new AbortController().signal,
  attempt,
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
  // The second sweep need not wait until the claim of the first is over.
  const claimed = { ...t.store.installations, claimSweep: async () => true };
  const cutOff = { ...t.store, installations: { ...claimed, sweep, noteUnseen } };
  await sweepInstallations({ ...later(1), store: cutOff, stopping: cut.signal }, brief);
  expect(await columnNames.missing(app.id, ['levle'])).toEqual([]);
  await sweepInstallations({ ...later(2), store: { ...t.store, installations: claimed } }, brief);
  expect(await columnNames.missing(app.id, ['level', 'levle'])).toEqual(['levle']);
});
