import { setTimeout as delay } from 'node:timers/promises';
import { anApp, anInstallation, keysIn, unique } from '@pushfleet/testing';
import { SETTLE_MS } from '../installations/channel-index/states';
import { storeKeys, type StoreKeys } from '../store-keys';
import { SHARDS } from '../kit/shards';
import type { Store } from '../open-store';
import { expectCounted } from '../testing/expect-counted';
import { mortal } from '../testing/mortal';
import { storeUnderTest } from '../testing/store-under-test';
import { FORMAT } from './migrations';
import { type Migration } from './migration';
import { describeFormat, openFormat, type FormatStore } from './open-format';

const t = storeUnderTest();

/** A fleet of its own in the same Redis. */
interface Place {
  readonly namespace: string;
  readonly keys: StoreKeys;
  readonly store: Store;
}

function aPlace(redis = t.redis, namespace = unique(t.harness.namespace)): Place {
  return { namespace, keys: storeKeys(namespace), store: t.open({ redis, namespace }) };
}

/** What one migration did in which order, of the program that knows formats `from` to `to`. */
function aProgram({ keys }: Place, [from, to]: readonly [number, number], accepts = from) {
  const pages: string[] = [];
  const migrations = Array.from({ length: to - from }, (_, i): Migration => {
    const step = { from: from + i, to: from + i + 1, accepts, name: `step ${from + i}` };
    const page: Migration['page'] = (_parts, cursor) => {
      pages.push(`${step.from} ${cursor}`);
      const done = Number(cursor) + 1;
      return Promise.resolve(done > 3 ? undefined : { cursor: String(done), done, of: 3 });
    };
    return { ...step, page };
  });
  const none = { processes: { list: () => Promise.resolve([]) }, channels: { settledAt: () => Promise.resolve(0) } };
  const format = openFormat({ ...{ redis: t.redis, keys, now: t.clock.now, migrations }, ...none });
  return { format, pages };
}

async function migrateAll(format: FormatStore): Promise<void> {
  while (await format.migrate());
}

describe('the format of an empty Redis', () => {
  it('is that of the process which comes first, and nothing is migrated', async () => {
    const place = aPlace();
    await Promise.all([place.store, t.open({ namespace: place.namespace })].map(({ format }) => format.check()));
    expect(await place.store.format.state()).toEqual({ data: FORMAT, own: FORMAT });
    expect(await place.store.format.difference()).toBeUndefined();
    expect(await place.store.format.migrate()).toBe(false);
    expect(await keysIn(t.redis, `${place.namespace}:*`)).toEqual([place.keys.format()]);
  });

  it('is not told by what others have beside it', async () => {
    const place = aPlace();
    await t.redis.set(`${place.namespace}2:apps`, 'of another fleet');
    expect((await place.store.format.state()).data).toBe(FORMAT);
  });
});

describe('a version that cannot work with the data', () => {
  it('is told so in one line that names both formats, when it is too old', async () => {
    const place = aPlace();
    await aProgram(place, [3, 7], 5).format.check();
    await aProgram(place, [3, 5]).format.check();
    expect(await aProgram(place, [3, 5]).format.difference()).toMatch(/format 5 and runs beside those of format 7/);
    const line = expect.stringMatching(/^FORMAT: [^\n]*too old[^\n]* of format 7,[^\n]* of format 4;[^\n]*$/);
    await expect(aProgram(place, [3, 4]).format.check()).rejects.toMatchObject({
      code: 'config-invalid',
      lines: [line],
    });
  });

  it('is told so in one line that names both formats, when it is too new', async () => {
    const place = aPlace();
    await aProgram(place, [1, 2]).format.check();
    const { format, pages } = aProgram(place, [3, 4]);
    const line = expect.stringMatching(/^FORMAT: [^\n]*too new[^\n]* of format 2,[^\n]* of format 4,[^\n]*$/);
    await expect(format.check()).rejects.toMatchObject({ code: 'config-invalid', lines: [line] });
    expect(await format.difference()).toMatch(/too new/);
    expect([await format.migrate(), pages]).toEqual([false, []]);
  });
});

describe('a migration', () => {
  it('goes from format to format, page by page, and on where it was cut off', async () => {
    const place = aPlace();
    await aProgram(place, [1, 2]).format.check();
    const { format, pages } = aProgram(place, [2, 4], 2);
    for (let page = 0; page < 2; page += 1) await format.migrate();
    expect(await format.state()).toMatchObject({ data: 2, migration: { name: 'step 2', to: 3, done: 2, of: 3 } });
    expect(await format.difference()).toMatch(/step 2 makes it format 3: 2 of 3 parts are done/);
    await migrateAll(aProgram(place, [2, 4], 3).format);
    expect(pages).toEqual(['2 ', '2 1']);
    expect(await format.state()).toEqual({ data: 4, own: 4 });
    // What they left is accepted by format 3, and not by format 2 any more.
    await aProgram(place, [1, 3]).format.check();
    await expect(aProgram(place, [1, 2]).format.check()).rejects.toThrow('too old');
  });

  it('is done once when several work on it', async () => {
    const place = aPlace();
    await aProgram(place, [1, 2]).format.check();
    const programs = Array.from({ length: 4 }, () => aProgram(place, [2, 3]));
    await Promise.all(programs.map(({ format }) => migrateAll(format)));
    expect(await programs[0]?.format.state()).toEqual({ data: 3, own: 3 });
  });
});

/** An app as the version before ceilings left it: nothing counted, and no format. */
async function asBefore(place: Place, app: string): Promise<void> {
  const { store, keys } = place;
  await store.apps.create(anApp({ id: app }));
  const channels = ['news', 'sport'];
  for (let n = 0; n < 40; n += 1) {
    const body = anInstallation({ installationId: `${app}-${n}`, channels: channels.slice(0, n % 3) });
    await store.installations.save({ app, body, now: t.clock.now() });
  }
  for (let shard = 0; shard < SHARDS; shard += 1) await t.redis.del(keys.installationBytes(app, shard));
  await t.redis.del(keys.format());
}

const noteFleet = ({ store }: Place) =>
  store.installations.channels.noteFleet({ now: t.clock.now(), isFresh: async () => false });

const under = (place: Place) => ({ ...t, ...place });

describe('data from before there was a format', () => {
  it('are counted when no process of that version can be left, wherever that is cut off', async () => {
    const place = aPlace();
    const apps = [unique('app'), unique('app')];
    for (const app of apps) await asBefore(place, app);
    const { format } = place.store;
    await format.check();
    expect([await format.migrate(), await format.difference()]).toEqual([
      false,
      expect.stringContaining('a dispatcher'),
    ]);
    await noteFleet(place);
    expect(await format.migrate()).toBe(false);
    expect(await format.difference()).toMatch(/waits for processes of the version before, until 20/);
    t.clock.advance(SETTLE_MS);
    for (let commands = 30; (await format.state()).data !== FORMAT; commands += 1) {
      const killed = aPlace(mortal(t.redis, commands), place.namespace).store.format;
      await migrateAll(killed).catch(() => undefined);
    }
    for (const app of apps) await expectCounted(under(place), app);
    expect(await format.state()).toEqual({ data: FORMAT, own: FORMAT });
  });

  it('wait for a living process of an earlier format, which is named', async () => {
    const place = aPlace();
    await asBefore(place, unique('app'));
    await noteFleet(place);
    t.clock.advance(SETTLE_MS);
    const old = { id: 'host-1', role: 'gateway', labels: {}, version: '0.1.0', since: 0, format: 1 };
    await place.store.processes.beat(old);
    await place.store.processes.beat({ ...old, id: 'host-2', format: FORMAT });
    expect(await place.store.format.migrate()).toBe(false);
    expect(await place.store.format.difference()).toMatch(/restart of 1 processes .*gateway host-1/);
    await place.store.processes.leave(old.id);
    expect(await place.store.format.migrate()).toBe(true);
  });

  it('stay counted while devices are saved beside', async () => {
    const place = aPlace();
    const app = unique('app');
    await asBefore(place, app);
    await noteFleet(place);
    t.clock.advance(SETTLE_MS);
    let isOver = false;
    const saving = (async () => {
      for (let n = 0; !isOver; n += 1) {
        const body = anInstallation({ installationId: `${app}-${n % 40}`, note: 'x'.repeat(n % 7) });
        await place.store.installations.save({ app, body, now: t.clock.now() });
        await delay(1);
      }
    })();
    await migrateAll(place.store.format);
    isOver = true;
    await saving;
    const { bytes } = await place.store.installations.room(app);
    expect(bytes).toBeGreaterThan(40 * 500);
    expect(bytes).toBeLessThan(80 * 1000);
  });
});

describe('what Redis holds about its own format', () => {
  it.each([
    ['data', 'two'],
    ['data', ''],
    ['accepts', '1.5'],
    ['step', 'no JSON'],
    ['step', '5'],
    ['step', '{"cursor":"x"}'],
  ])('is refused by name where its %s is %j', async (field, text) => {
    const { keys, store } = aPlace();
    await store.format.check();
    await t.redis.hset(keys.format(), field, text);
    const words = expect.stringContaining(`field ${field} of ${keys.format()}`) as string;
    await expect(store.format.check()).rejects.toMatchObject({ name: 'WrongFormat', message: words });
    const state = await store.format.state();
    expect(state.refusal).toMatchObject({ name: 'WrongFormat', message: words });
    expect(describeFormat(state)).toEqual(words);
  });
});
