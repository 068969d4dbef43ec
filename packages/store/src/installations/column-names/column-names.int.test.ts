import { LIMITS, type JsonObject } from '@pushfleet/domain';
import { anInstallation, countCommands, unique } from '@pushfleet/testing';
import { SHARDS } from '../../kit/shards';
import { storeUnderTest } from '../../testing/store-under-test';
import type { Store } from '../../open-store';
import { SETTLE_MS } from '../channel-index/states';
import { REMEMBERED_MS } from './remember-columns';

const t = storeUnderTest();
const HOUR_MS = 3_600_000;

beforeAll(async () => {
  await t.store.installations.channels.noteFleet({ now: t.clock.now(), isFresh: async () => true });
});

const save = async (app: string, fields: Readonly<Record<string, unknown>>, store: Store = t.store) => {
  const saved = await store.installations.save({ app, body: anInstallation(fields), now: t.clock.now() });
  return saved?.installation.objectId ?? '';
};
const missing = (app: string, ...columns: string[]) => t.open().installations.columnNames.missing(app, columns);

/** Looks at every installation of an app, as the daily sweep does. */
async function look(app: string, amidst: () => Promise<unknown> = () => Promise.resolve(), store: Store = t.store) {
  const columns = await store.installations.columnNames.collect(app);
  const bounds = { stale: 0, dead: 0, ending: 0, columns };
  for (let shard = 0; shard < SHARDS; shard += 1) await store.installations.sweep(app, shard, bounds);
  await amidst();
  await columns.keep();
}

describe('a column that no installation has', () => {
  test('is told of once every installation was looked at, and only then', async () => {
    const app = unique('app');
    await save(app, { city: 'Rome' });
    expect(await missing(app, 'city', 'ctiy')).toEqual([]);
    await look(app);
    expect(await missing(app, 'city', 'ctiy')).toEqual(['ctiy']);
    expect(await missing(unique('app'), 'city')).toEqual([]);
  });

  test('is told of when its last installation has lost it', async () => {
    const app = unique('app');
    const objectId = await save(app, { city: 'Rome', level: 3 });
    await look(app);
    const body: JsonObject = { city: { __op: 'Delete' } };
    await t.store.installations.save({ app, body, objectId, now: t.clock.now() });
    t.clock.advance(2 * HOUR_MS);
    await look(app);
    expect(await missing(app, 'city', 'level')).toEqual(['city']);
  });
});

describe('a column that an installation has', () => {
  test.each(['saved', 'imported'])('is known before it is %s', async (way) => {
    const app = unique('app');
    await look(app);
    expect(await missing(app, 'city')).toEqual(['city']);
    const { objectId = unique('o'), ...doc } = anInstallation({ city: 'Rome' });
    if (way === 'saved') await save(app, { city: 'Rome' });
    else await t.store.installations.import(app, [{ objectId: String(objectId), doc }]);
    expect(await missing(app, 'city')).toEqual([]);
  });

  test('stays known when it was saved behind a look, by a process that noted it before', async () => {
    const app = unique('app');
    const saver = t.open();
    const first = await save(app, { city: 'Rome' }, saver);
    await t.store.installations.remove(app, first);
    t.clock.advance(REMEMBERED_MS - 1000);
    await look(app, () => save(app, { city: 'Oslo' }, saver));
    expect(await missing(app, 'city')).toEqual([]);
  });

  test('is noted again by a process after a while, and in an app that was made anew', async () => {
    const [app, saver] = [unique('app'), t.open()];
    await saver.settings.take();
    await save(app, { city: 'Rome' }, saver);
    for (const pass of [() => t.clock.advance(REMEMBERED_MS + 1), async () => t.store.settings.changed()]) {
      await t.redis.del(t.keys.columnNames(app));
      await look(app, async () => {
        await t.redis.del(t.keys.columnNames(app));
      });
      await pass();
      await saver.settings.take();
      await save(app, { city: 'Oslo' }, saver);
      expect(await t.redis.hexists(t.keys.columnNames(app), 'city')).toBe(1);
    }
  });

  test('costs a save no command when the process knows it', async () => {
    const [app, saver] = [unique('app'), t.open()];
    await save(app, { city: 'Rome' }, saver);
    const commands = await countCommands(await t.harness.open(), t.keys.columnNames(app));
    t.harness.onClose(() => commands.close());
    const sentFor = async (fields: JsonObject) => (await commands.during(() => save(app, fields, saver))).length;
    expect([await sentFor({ city: 'Oslo' }), await sentFor({ city: 'Oslo', level: 1 })]).toEqual([0, 1]);
  });
});

describe('nobody is warned', () => {
  test('while a process of an earlier version may save', async () => {
    const app = unique('app');
    await look(app);
    const fleet = await t.redis.hget(t.keys.channelIndexes(), 'fleet');
    const later = { since: t.clock.now(), columnsSince: t.clock.now(), seenAt: t.clock.now() };
    await t.redis.hset(t.keys.channelIndexes(), 'fleet', JSON.stringify(later));
    expect(await missing(app, 'city')).toEqual([]);
    t.clock.advance(SETTLE_MS);
    await look(app);
    expect(await missing(app, 'city')).toEqual(['city']);
    await t.redis.hset(t.keys.channelIndexes(), 'fleet', fleet ?? '');
  });

  test('when the app has too many columns, until a look finds fewer', async () => {
    const app = unique('app');
    await look(app);
    const doc = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`column${i}`, i]));
    const ids: string[] = [];
    for (let from = 0; from <= LIMITS.columnNames.value; from += 100)
      ids.push(await save(app, Object.fromEntries(Object.entries(doc(from + 100)).slice(from))));
    expect(await missing(app, 'city')).toEqual([]);
    expect(await t.redis.hlen(t.keys.columnNames(app))).toBeLessThanOrEqual(LIMITS.columnNames.value + 2);
    for (const id of ids.slice(1)) await t.store.installations.remove(app, id);
    await look(app);
    expect(await missing(app, 'city')).toEqual([]);
    t.clock.advance(2 * HOUR_MS);
    await look(app);
    expect(await missing(app, 'city', 'column1', 'column200')).toEqual(['city', 'column200']);
  });
});
