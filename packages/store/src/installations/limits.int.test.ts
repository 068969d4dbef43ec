import { LIMITS, type Json, type JsonObject } from '@pushfleet/domain';
import { shardOf } from '../kit/shards';
import { storeUnderTest } from '../testing/store-under-test';

const t = storeUnderTest();

const save = (body: JsonObject, objectId?: string) =>
  t.store.installations.save({ app: t.app, body, objectId, now: t.clock.now() });

async function saved(body: JsonObject): Promise<string> {
  const answer = await save(body);
  if (!answer) throw new Error('not saved');
  return answer.installation.objectId;
}

const names = (count: number, length = 6): string[] =>
  Array.from({ length: count }, (_, i) => `c${i}`.padEnd(length, '_'));

describe('an installation', () => {
  it('takes as many channels as it may have, and no more', async () => {
    const { value } = LIMITS.channels;
    await expect(save({ deviceType: 'android', channels: names(value) })).resolves.toBeDefined();
    await expect(save({ deviceType: 'android', channels: names(value + 1) })).rejects.toMatchObject({
      problem: 'threshold',
      message: `an installation may hold at most ${value} channels`,
    });
  });

  it('is refused by what an operation would make of it, not by the body alone', async () => {
    const id = await saved({ deviceType: 'android', channels: names(LIMITS.channels.value) });
    const one = { channels: { __op: 'AddUnique', objects: ['another'] } };
    await expect(save(one, id)).rejects.toMatchObject({ problem: 'threshold' });
    const known = { channels: { __op: 'AddUnique', objects: ['c1____'] } };
    await expect(save(known, id)).resolves.toBeDefined();
  });

  it('may not name its channels at any length', async () => {
    await expect(save({ deviceType: 'android', channels: names(200, 255) })).rejects.toMatchObject({
      problem: 'too-large',
      message: `an installation may hold at most ${LIMITS.channelBytes.value} bytes of channel names`,
    });
  });

  it('may not have any number of fields', async () => {
    const fields = Object.fromEntries(names(LIMITS.installationFields.value).map((name) => [name, 1]));
    await expect(save({ deviceType: 'android', ...fields })).rejects.toMatchObject({ problem: 'threshold' });
  });
});

/** As an earlier release stored it. */
async function storeOverLimit(objectId: string, change: (doc: JsonObject) => string): Promise<void> {
  const key = t.keys.records(t.app, shardOf(objectId));
  const [bucket = '', json = ''] = ((await t.redis.hget(key, objectId)) ?? '').split('\n');
  await t.redis.hset(key, objectId, `${bucket}\n${change(JSON.parse(json) as JsonObject)}`);
}

describe('what is stored over a limit', () => {
  it('may be saved again and shrink, but not grow', async () => {
    const id = await saved({ deviceType: 'android', channels: [] });
    const { value } = LIMITS.channels;
    await storeOverLimit(id, (doc) => JSON.stringify({ ...doc, channels: names(value + 100) }));
    await expect(save({ timeZone: 'Asia/Shanghai' }, id)).resolves.toBeDefined();
    await expect(save({ channels: names(value + 100) }, id)).resolves.toBeDefined();
    await expect(save({ channels: names(value + 101) }, id)).rejects.toMatchObject({ problem: 'threshold' });
    await expect(save({ channels: names(value + 50) }, id)).resolves.toBeDefined();
    await expect(save({ channels: names(value + 51) }, id)).rejects.toMatchObject({ problem: 'threshold' });
  });
});

describe.each([4114, 30_000])('a record that nests %i levels deep', (levels) => {
  const deepText = '['.repeat(levels) + ']'.repeat(levels);
  const bottom = (value: Json | undefined): Json | undefined =>
    Array.isArray(value) && value.length > 0 ? bottom(value[0] as Json) : value;
  let id = '';
  beforeAll(async () => {
    id = await saved({ deviceType: 'android', vendor: 'mi', registrationId: `deep-${levels}`, mark: levels });
    await storeOverLimit(id, (doc) => `${JSON.stringify(doc).slice(0, -1)},"deep":${deepText}}`);
  });
  const where = { mark: levels };

  it('is found, scanned and exported, with null where it is too deep', async () => {
    const { installations } = t.store;
    const { results } = await installations.find({ app: t.app, where, limit: 10, skip: 0, count: false });
    expect(results.map(({ objectId }) => objectId)).toEqual([id]);
    const scanned = await installations.scan({ app: t.app, where, limit: 10 });
    const exported = await installations.export({ app: t.app, limit: 1000 });
    const found = exported.results.find(({ objectId }) => objectId === id);
    for (const one of [results[0], scanned.results[0], found, await installations.get(t.app, id)]) {
      expect(bottom(one?.['deep'])).toBeNull();
      expect(() => JSON.stringify(one)).not.toThrow();
    }
  });

  it('is sorted by its deep field', async () => {
    const order = [{ field: 'deep', isDescending: true }];
    const { results } = await t.store.installations.find({ app: t.app, where, order, limit: 1, skip: 0, count: false });
    expect(results.map(({ objectId }) => objectId)).toEqual([id]);
  });

  it('is matched by conditions on its deep field and selected by a push', async () => {
    const conditions: readonly JsonObject[] = [
      { deep: { $exists: true }, ...where },
      { deep: { $ne: [[1]] }, ...where },
      { deep: { $size: 1 }, ...where },
    ];
    for (const predicate of conditions) {
      const walk = t.store.installations.walk({
        ...{ app: t.app, bucket: 'mi/_default', predicate },
        ...{ from: { shard: 0, objectId: '' }, toShard: 256, pageSize: 10 },
      });
      const { devices } = await walk.next();
      expect(devices.map(({ objectId }) => objectId)).toEqual([id]);
    }
  });

  it('is saved without losing what is deep, until the field is written or removed', async () => {
    await expect(save({ timeZone: 'UTC' }, id)).resolves.toBeDefined();
    const text = await t.redis.hget(t.keys.records(t.app, shardOf(id)), id);
    expect(text).toContain(`"deep":${deepText}`);
    await expect(save({ deep: { __op: 'AddUnique', objects: [1] } }, id)).resolves.toBeDefined();
    const shown = await save({ deep: { __op: 'Delete' } }, id);
    expect(shown?.installation).not.toHaveProperty('deep');
  });
});
