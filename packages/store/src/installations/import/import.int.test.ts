import type { JsonObject } from '@pushfleet/domain';
import { anInstallation, seededRandom, unique } from '@pushfleet/testing';
import { mastersOf } from '../../kit/redis-settings';
import { dumpInstallations } from '../../testing/dump';
import { expectSound } from '../../testing/expect-sound';
import { jittered } from '../../testing/jittered';
import { storeUnderTest } from '../../testing/store-under-test';
import type { ImportedInstallation } from './candidate';

const t = storeUnderTest();
const seed = Number(process.env['SEED'] ?? 20_261_121);
const rounds = Number(process.env['ROUNDS'] ?? 25);
const { below, pick } = seededRandom(seed);

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();

function aRow(second: number, fields: Readonly<Record<string, unknown>> = {}): ImportedInstallation {
  const { objectId = unique('o'), ...doc } = anInstallation({ createdAt: at(0), updatedAt: at(second), ...fields });
  return { objectId: String(objectId), doc };
}

const importing = (app: string, ...rows: ImportedInstallation[]) => t.store.installations.import(app, rows);
const get = (app: string, { objectId }: ImportedInstallation) => t.store.installations.get(app, objectId);
const asStored = ({ objectId, doc }: ImportedInstallation): JsonObject => ({ objectId, valid: true, ...doc });
const bucketOf = async (app: string, { objectId }: ImportedInstallation): Promise<string | undefined> =>
  (await t.store.installations.addressed(app, { field: 'objectId', values: [objectId] }))[0]?.bucket;
const save = (app: string, body: JsonObject, objectId?: string) =>
  t.store.installations.save({ app, body, objectId, now: t.clock.now() });

function shuffled<T>(items: readonly T[]): T[] {
  const left = [...items];
  return items.map(() => left.splice(below(left.length), 1)[0] as T);
}

describe('an import', () => {
  it('stores every installation as it is, in the bucket that a save would choose', async () => {
    const app = unique('app');
    await t.store.profiles.put({ app, channel: 'hms', profile: 'game' }, { value: {}, receiptKey: 'key' });
    const rows = [
      aRow(1, { channels: ['news', ''], custom: { deep: [1, null, '中'] }, deviceProfile: 'game' }),
      aRow(2, { vendor: 'fcm' }),
      aRow(3, { valid: false }),
      aRow(4, { vendor: undefined, registrationId: undefined, valid: undefined }),
      aRow(5, { deviceType: 'ios', vendor: undefined, registrationId: undefined, deviceToken: 'a'.repeat(64) }),
    ];
    expect(await importing(app, ...rows)).toEqual(rows.map(() => 'created'));
    for (const row of rows) expect(await get(app, row)).toEqual(asStored(row));
    const buckets = await Promise.all(rows.map((row) => bucketOf(app, row)));
    expect(buckets).toEqual(['hms/game', 'unknown', undefined, 'own', 'ios']);
    const sizes = await t.store.installations.sizes(app, 'hms/game', ['news']);
    expect(sizes.reduce((a, b) => a + b, 0)).toBe(1);
    await expectSound(t, app);
  });

  it('stores one that is stale without making it a target; a save does', async () => {
    const app = unique('app');
    const row = aRow(1);
    await t.store.installations.import(app, [row], { staleBefore: Date.parse(at(2)) });
    expect(await bucketOf(app, row)).toBeUndefined();
    expect(await get(app, row)).toEqual(asStored(row));
    await save(app, { city: 'Berlin' }, row.objectId);
    expect(await bucketOf(app, row)).toBe('hms/_default');
  });

  it('stamps one without dates, and leaves it alone afterwards', async () => {
    const app = unique('app');
    const row = aRow(1, { createdAt: undefined, updatedAt: undefined });
    const now = t.clock.now();
    expect(await t.store.installations.import(app, [row], { now })).toEqual(['created']);
    const stamp = new Date(now).toISOString();
    expect(await get(app, row)).toMatchObject({ createdAt: stamp, updatedAt: stamp });
    expect(await t.store.installations.import(app, [row], { now: now + 1000 })).toEqual(['unchanged']);
    expect(await get(app, row)).toMatchObject({ updatedAt: stamp });
  });

  it.each(['', 'a b', 'a!', 'x'.repeat(65), 'a\nb'])('refuses the objectId %j', async (objectId) => {
    await expect(importing(unique('app'), { objectId, doc: {} })).rejects.toMatchObject({ problem: 'wrong-type' });
  });
});

/** Others write and remove keys meanwhile. */
async function keysOf(app: string): Promise<number> {
  let count = 0;
  for (const node of mastersOf(t.redis))
    for await (const keys of node.scanStream({ match: `*${app}*`, count: 10_000 })) count += (keys as string[]).length;
  return count;
}

describe('an import of devices with as many channels as they may have', () => {
  it('lets others have Redis in between', async () => {
    const app = unique('app');
    const channels = (row: number): string[] => Array.from({ length: 1000 }, (_, i) => `c${row}-${i}`);
    const rows = Array.from({ length: 80 }, (_, row) => aRow(1, { channels: channels(row) }));
    const keysNow = async (): Promise<number> => {
      const sizes = await Promise.all(mastersOf(t.redis).map((node) => node.dbsize()));
      return sizes.reduce((sum, size) => sum + size, 0);
    };
    let [isOver, last, mostBetween] = [false, await keysNow(), 0];
    const imported = importing(app, ...rows).finally(() => (isOver = true));
    while (!isOver) {
      const keys = await keysNow();
      mostBetween = Math.max(mostBetween, keys - last);
      last = keys;
    }
    expect(await imported).toEqual(rows.map(() => 'created'));
    expect(await keysOf(app)).toBeGreaterThan(80_000);
    expect(mostBetween).toBeLessThan(30_000);
    await expectSound(t, app);
  }, 60_000);
});

describe('an installation that is there already', () => {
  it('is replaced by a newer version and kept beside an older one', async () => {
    const app = unique('app');
    const row = aRow(5, { city: 'Berlin', channels: ['news'] });
    const newer = aRow(6, {
      ...row.doc,
      objectId: row.objectId,
      updatedAt: at(6),
      channels: ['sport'],
      city: undefined,
    });
    await importing(app, row);
    expect(await importing(app, newer)).toEqual(['updated']);
    expect(await get(app, row)).toEqual(asStored(newer));
    expect(await importing(app, row)).toEqual(['unchanged']);
    expect(await get(app, row)).toEqual(asStored(newer));
    await expectSound(t, app);
  });

  it('is kept as its device saved it here', async () => {
    const app = unique('app');
    const row = aRow(1);
    await importing(app, row);
    await save(app, { installationId: row.doc['installationId'] ?? '', city: 'Rome' });
    const saved = await get(app, row);
    expect(await importing(app, row)).toEqual(['unchanged']);
    expect(await get(app, row)).toEqual(saved);
  });

  it('stays retired while its registrationId is the same', async () => {
    const app = unique('app');
    const row = aRow(1);
    const { registrationId } = row.doc;
    await importing(app, row);
    await t.store.installations.retire(app, { objectId: row.objectId, registrationId: String(registrationId) });
    await importing(app, row, aRow(9, { ...row.doc, objectId: row.objectId, updatedAt: at(9) }));
    expect(await bucketOf(app, row)).toBe('retired:hms');
    await importing(app, aRow(10, { ...row.doc, objectId: row.objectId, updatedAt: at(10), registrationId: 'fresh' }));
    expect(await bucketOf(app, row)).toBe('hms/_default');
  });

  it('is a target again where words retired it that may pass: its device has saved itself since', async () => {
    const app = unique('app');
    const row = aRow(1);
    await importing(app, row);
    const struck = { objectId: row.objectId, registrationId: String(row.doc['registrationId']) };
    for (let day = 1; day <= 5; day += 1) await t.store.installations.strike(app, { ...struck, now: day * 86_400_000 });
    expect(await bucketOf(app, row)).toBe('retired:hms');
    await importing(app, aRow(9, { ...row.doc, objectId: row.objectId, updatedAt: at(9) }));
    expect(await bucketOf(app, row)).toBe('hms/_default');
  });
});

describe('a registrationId that several have', () => {
  it.each([
    ['in one import', false],
    ['in one after the other', true],
  ])('belongs to the newest %s, whatever the order', async (_name, isApart) => {
    const registrationId = unique('r');
    const rows = [1, 2, 3].map((second) => aRow(second, { registrationId }));
    const ends = new Set<string>();
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const app = unique('app');
      const ordered = order.map((i) => rows[i] as ImportedInstallation);
      if (isApart) for (const row of ordered) await importing(app, row);
      else await importing(app, ...ordered);
      const documents = await Promise.all(rows.map((row) => get(app, row)));
      expect(documents.map((document) => document?.['registrationId'])).toEqual([undefined, undefined, registrationId]);
      ends.add(JSON.stringify(documents));
      await expectSound(t, app);
    }
    expect(ends.size).toBe(1);
  });

  it('stays with a device that saved it here', async () => {
    const app = unique('app');
    const row = aRow(1);
    const { registrationId = null } = row.doc;
    await save(app, anInstallation({ registrationId }));
    expect(await importing(app, row)).toEqual(['created']);
    expect(await get(app, row)).not.toHaveProperty('registrationId');
    expect(await bucketOf(app, row)).toBe('unregistered');
    await expectSound(t, app);
  });
});

describe('an installationId that several have', () => {
  it('belongs to the newest; the others are not stored', async () => {
    const installationId = unique('i');
    const rows = [1, 2, 3].map((second) => aRow(second, { installationId }));
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const app = unique('app');
      for (const i of order) await importing(app, rows[i] as ImportedInstallation);
      const documents = await Promise.all(rows.map((row) => get(app, row)));
      expect(documents.map((document) => document?.objectId)).toEqual([undefined, undefined, rows[2]?.objectId]);
      expect(await importing(app, ...rows)).toEqual(['superseded', 'superseded', 'unchanged']);
      await expectSound(t, app);
    }
  });

  it('stays with the record that its device made here', async () => {
    const app = unique('app');
    const row = aRow(1);
    const saved = await save(app, { installationId: row.doc['installationId'] ?? '' });
    expect(await importing(app, row)).toEqual(['superseded']);
    expect(await get(app, row)).toBeUndefined();
    expect(saved && (await get(app, { ...saved.installation, doc: {} }))).toEqual(saved?.installation);
  });
});

describe('a device token that several have', () => {
  it('stays with all, and names the newest', async () => {
    const deviceToken = 'f'.repeat(64);
    const rows = [1, 2, 3].map((second) => aRow(second, { deviceToken }));
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
    ]) {
      const app = unique('app');
      for (const i of order) await importing(app, rows[i] as ImportedInstallation);
      const found = await t.store.installations.addressed(app, { field: 'deviceToken', values: [deviceToken] });
      expect(found.map(({ installation }) => installation.objectId)).toEqual([rows[2]?.objectId]);
    }
  });
});

/** Rows that share many ids. */
const randomRow = (second: number, devices: number): ImportedInstallation =>
  aRow(second, {
    objectId: `o${below(devices)}`,
    installationId: pick([`i${below(devices)}`, `i${below(devices)}`, undefined]),
    registrationId: pick([`r${below(devices)}`, `r${below(devices)}`, undefined]),
    vendor: pick(['HMS', 'mi', 'fcm', undefined]),
    channels: pick([['a'], ['a', 'b'], undefined]),
    valid: pick([true, undefined, false]),
  });

it('done again, whole or after being cut off, changes nothing', async () => {
  for (let round = 0; round < 20; round += 1) {
    const app = unique('app');
    const rows = shuffled(Array.from({ length: 40 }, (_, i) => ({ ...randomRow(i, 12), objectId: `o${i}` })));
    const portions = [rows.slice(0, 15), rows.slice(15, 16), rows.slice(16)];
    for (const portion of portions.slice(0, below(3))) await importing(app, ...portion);
    for (const portion of portions) await importing(app, ...portion);
    const once = await dumpInstallations(t, app);
    await expectSound(t, app);
    for (const portion of portions) await importing(app, ...portion);
    expect(await dumpInstallations(t, app)).toEqual(once);
  }
});

it('with rows that share registrationIds only ends the same in any order', async () => {
  const rows = Array.from({ length: 30 }, (_, i) => aRow(i, { registrationId: `r${below(8)}`, objectId: `o${i}` }));
  const dumps: (readonly string[])[] = [];
  for (let round = 0; round < 10; round += 1) {
    const app = unique('app');
    const order = shuffled(rows);
    await Promise.all([importing(app, ...order.slice(0, 14)), importing(app, ...order.slice(14))]);
    await importing(app, ...order);
    dumps.push((await dumpInstallations(t, app)).map((line) => line.replaceAll(app, '').replace(/^.*?:i:\{/, '')));
  }
  for (const dump of dumps) expect(dump).toEqual(dumps[0]);
});

it(`several imports, saves, retirements and removals at once leave index, records and look-ups in agreement (seed ${seed})`, async () => {
  /** Installations of three devices, each of which has several. */
  const clonesOf = (count: number): ImportedInstallation[] =>
    shuffled([...Array(count).keys()]).map((n) => {
      const { doc } = randomRow(below(100), 3);
      return { objectId: `o${n}`, doc: { ...doc, installationId: `i${n % 3}` } };
    });
  /** Now and then later than anybody waits for another to settle. */
  const turns = () => (below(60) === 0 ? 5000 : below(3) === 0 ? below(12) : 0);
  const late = () => t.open({ redis: jittered(t.redis, turns) }).installations;
  for (let round = 0; round < rounds; round += 1) {
    const app = unique('app');
    const clones = clonesOf(12);
    const imports = [0, 1, 2].map((i) => late().import(app, clones.slice(4 * i, 4 * i + 4)));
    const moves = clonesOf(4).map(async ({ objectId, doc }) => {
      t.clock.advance(1);
      const registrationId = String(doc['registrationId']);
      const first = below(3);
      if (first === 0) await late().retire(app, { objectId, registrationId });
      if (first === 1) await late().remove(app, objectId);
      await late().save({ app, body: doc, now: t.clock.now() });
    });
    await Promise.all([...imports, ...moves]);
    await expectSound(t, app);
  }
}, 2_400_000);
