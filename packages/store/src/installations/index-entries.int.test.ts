import { bucketOf, channelsOf, sharedBucketOf, type JsonObject } from '@pushfleet/domain';
import { keysIn, seededRandom } from '@pushfleet/testing';
import { shardOf } from '../kit/shards';
import type { InstallationStore } from '.';
import { jittered } from '../testing/jittered';
import { storeUnderTest, VENDORS } from '../testing/store-under-test';

const t = storeUnderTest();

/** What the devices should be, by a second and simpler implementation. */
interface Device {
  doc: JsonObject;
  isRetired: boolean;
}
type Model = Map<string, Device>;

const { below, pick } = seededRandom(20_260_102);
const DEVICES = 14;
const REGISTRATIONS = ['r1', 'r2', 'r3', 'r4', 'r5', 'r6', 'r7', 'r8'];
const CHANNELS = ['', 'a', 'b', '新闻'];

function randomBody(installationId: string): JsonObject {
  const choices: readonly (readonly [string, readonly (JsonObject[string] | undefined)[]])[] = [
    ['vendor', ['HMS', 'mi', 'lc', 'fcm', null, undefined]],
    ['registrationId', [...REGISTRATIONS, null, '', undefined]],
    ['deviceProfile', ['game', '', null, undefined]],
    ['deviceType', ['android', 'android', 'android', 'ios', undefined]],
    ['channels', [...CHANNELS.map((c) => [c]), ['a', 'b', 'a'], [], null, undefined]],
    ['valid', [true, false, null, undefined, undefined]],
  ];
  const fields = choices.map(([name, values]) => [name, pick(values)] as const);
  return { installationId, ...Object.fromEntries(fields.filter(([, value]) => value !== undefined)) } as JsonObject;
}

async function randomSave(model: Model): Promise<void> {
  const installationId = `device${below(DEVICES)}`;
  const body = randomBody(installationId);
  const answer = await t.store.installations.save({ app: t.app, body, now: t.clock.now() });
  const objectId = answer?.installation.objectId ?? '';
  const old = model.get(objectId);
  const merged = Object.entries({ ...old?.doc, ...body }).filter(([, value]) => value !== null);
  const doc = Object.fromEntries(merged) as JsonObject;
  const registrationId = doc['registrationId'];
  for (const [id, device] of model) {
    if (id === objectId || !registrationId || device.doc['registrationId'] !== registrationId) continue;
    const { registrationId: _, ...rest } = device.doc;
    model.set(id, { doc: rest, isRetired: false });
  }
  const isSame = old !== undefined && old.doc['registrationId'] === registrationId;
  model.set(objectId, { doc, isRetired: isSame && old.isRetired });
}

async function randomRetirement(model: Model): Promise<void> {
  const [objectId, device] = pick([...model]);
  const registrationId = pick([String(device.doc['registrationId'] ?? ''), 'r1']);
  const isHit = registrationId !== '' && device.doc['registrationId'] === registrationId && !device.isRetired;
  expect(await t.store.installations.retire(t.app, { objectId, registrationId })).toBe(isHit);
  if (isHit) model.set(objectId, { ...device, isRetired: true });
}

async function randomRemoval(model: Model): Promise<void> {
  const [objectId] = pick([...model]);
  await t.store.installations.remove(t.app, objectId);
  model.delete(objectId);
}

/** Everything of the app that an index key holds: `key member`. */
async function indexInRedis(): Promise<readonly string[]> {
  const found = await keysIn(t.redis, `${t.harness.namespace}:i:{${t.app}:*`);
  const keys = found.filter((key) => !key.endsWith(':fences'));
  const entries = keys.map(async (key) => {
    if ((await t.redis.type(key)) !== 'zset') return [];
    return (await t.redis.zrange(key, '0', '-1')).map((member) => `${key} ${member}`);
  });
  return (await Promise.all(entries)).flat().sort();
}

function indexOfModel(model: Model): readonly string[] {
  const entries = [...model].flatMap(([objectId, { doc, isRetired }]) => {
    const own = bucketOf(doc, VENDORS, isRetired);
    if (own === undefined) return [];
    const bucket = own === 'hms/game' ? own : (sharedBucketOf(own) ?? own);
    const shard = shardOf(objectId);
    const registrationId = String(doc['registrationId'] ?? '');
    const subscribed = channelsOf(doc).map(
      (channel) => `${t.keys.subscribers(t.app, shard, { bucket, channel })} ${objectId}`,
    );
    return [`${t.keys.bucket(t.app, shard, bucket)} ${objectId} ${registrationId}`, ...subscribed];
  });
  return entries.sort();
}

async function expectDocuments(model: Model): Promise<void> {
  for (const [objectId, { doc, isRetired }] of model) {
    const found = await t.store.installations.get(t.app, objectId);
    const { createdAt, updatedAt, objectId: _, ...shown } = { ...found };
    expect(shown).toEqual({ valid: true, ...doc, ...(isRetired ? { valid: false } : {}) });
  }
}

it('whatever is saved, retired and removed, the index holds every valid device in exactly one place', async () => {
  const model: Model = new Map();
  await t.store.profiles.put({ app: t.app, channel: 'hms', profile: 'game' }, { value: {}, receiptKey: 'key' });
  const steps = [randomSave, randomSave, randomSave, randomSave, randomRetirement, randomRetirement, randomRemoval];
  await randomSave(model);
  for (let step = 0; step < 400; step += 1) {
    const move = model.size === 0 ? randomSave : pick(steps);
    await move(model);
    expect(await indexInRedis()).toEqual(indexOfModel(model));
    if (step % 50 === 0) await expectDocuments(model);
  }
  await expectDocuments(model);
});

describe('many processes at once', () => {
  const app = `${t.app}x`;
  const late: InstallationStore[] = [];
  beforeAll(() => {
    const redis = jittered(t.redis, () => (below(3) === 0 ? below(12) : 0));
    for (let n = 0; n < 8; n += 1) late.push(t.open({ redis }).installations);
  });

  async function randomMove({ save, retire, remove }: InstallationStore): Promise<void> {
    const installationId = `device${below(3)}`;
    const registrationId = pick(['r1', 'r2']);
    const bodies: readonly JsonObject[] = [
      randomBody(installationId),
      { installationId, registrationId },
      { installationId, n: below(9) },
    ];
    t.clock.advance(1);
    const saved = await save({ app, body: pick(bodies), now: t.clock.now() });
    const { objectId = '', ...doc } = saved?.installation ?? {};
    if (below(6) === 0)
      await retire(app, { objectId, registrationId: String((doc as JsonObject)['registrationId'] ?? '') });
    if (below(6) === 0) await remove(app, objectId);
  }

  /** Every place that the index gives a device: bucket and member. */
  async function placesOf(objectId: string): Promise<readonly string[]> {
    const names = await t.store.installations.bucketNames(app);
    const places = names.map(async (bucket) => {
      const members = await t.redis.zrange(t.keys.bucket(app, shardOf(objectId), bucket), '0', '-1');
      return members.filter((member) => member.startsWith(objectId)).map((member) => `${bucket} ${member}`);
    });
    return (await Promise.all(places)).flat();
  }

  it('leave index, records and look-ups in agreement', async () => {
    for (let round = 0; round < 100; round += 1) {
      await Promise.all(late.map(randomMove));
      const { results } = await t.store.installations.find({ app, where: {}, limit: 100, skip: 0, count: false });
      const ids = results.map((device) => device['installationId']);
      expect(new Set(ids).size).toBe(ids.length);
      for (const device of results) {
        const { objectId } = device;
        const registrationId = String(device['registrationId'] ?? '');
        const [addressed] = await t.store.installations.addressed(app, { field: 'objectId', values: [objectId] });
        const place = addressed && `${addressed.bucket} ${objectId} ${registrationId}`;
        expect(await placesOf(objectId)).toEqual(place === undefined ? [] : [place]);
        const where = { installationId: device['installationId'] ?? null };
        const found = await t.store.installations.find({ app, where, limit: 9, skip: 0, count: false });
        expect(found.results.map((one) => one.objectId)).toEqual([objectId]);
      }
      const registrations = results
        .map((device) => device['registrationId'])
        .filter((id) => id !== undefined && id !== '');
      expect(registrations).toEqual([...new Set(registrations)]);
    }
  });

  it('never leave a registrationId that somebody holds to nobody, nor to two', async () => {
    for (let round = 0; round < 60; round += 1) {
      const other = `${app}${round}`;
      const registrationId = `r${round}`;
      const save = (body: JsonObject) => pick(late).save({ app: other, body, now: t.clock.now() });
      await save({ installationId: 'one', vendor: 'HMS', registrationId });
      await Promise.all([
        save({ installationId: 'one', n: 1 }),
        save({ installationId: 'two', vendor: 'HMS', registrationId }),
        save({ installationId: 'one', n: 2 }),
        ...(round % 2 === 0 ? [save({ installationId: 'three', vendor: 'HMS', registrationId })] : []),
      ]);
      const { results } = await t.store.installations.find({ app: other, where: {}, limit: 9, skip: 0, count: false });
      const owners = results.filter((device) => device['registrationId'] === registrationId);
      expect(owners).toHaveLength(1);
      const found = await t.store.installations.addressed(other, { field: 'registrationId', values: [registrationId] });
      expect(found.map(({ installation }) => installation.objectId)).toEqual([owners[0]?.objectId]);
    }
  });

  it('never read a device without the address that it had all the time', async () => {
    const { save, get } = t.store.installations;
    const body = { installationId: 'torn', vendor: 'HMS', registrationId: 'torn' };
    const { objectId = '' } = (await save({ app, body, now: t.clock.now() }))?.installation ?? {};
    const reader = pick(late);
    for (let round = 0; round < 100; round += 1) {
      const move = save({ app, body: { deviceProfile: pick(['', 'game', 'other']) }, objectId, now: t.clock.now() });
      const seen = await Promise.all([reader.get(app, objectId), reader.get(app, objectId), reader.get(app, objectId)]);
      expect(seen.map((device) => device?.['registrationId'])).toEqual(['torn', 'torn', 'torn']);
      await move;
    }
    expect(await get(app, objectId)).toMatchObject(body);
  });
});
