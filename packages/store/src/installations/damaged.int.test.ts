import { anInstallation, unique } from '@pushfleet/testing';
import { SHARDS, shardOf } from '../kit/shards';
import { expectCounted } from '../testing/expect-counted';
import { storeUnderTest } from '../testing/store-under-test';

const t = storeUnderTest();

let app: string;
beforeEach(() => {
  app = unique('app');
});

const save = async (body: Record<string, unknown>) =>
  (await t.store.installations.save({ app, body: anInstallation(body as never), now: t.clock.now() }))?.installation;

/** Two installations, and the record of the first of them is no JSON. */
async function aDamagedAndAnother(text = 'hms/_default\nno JSON') {
  const [installationId, registrationId] = [unique('i'), unique('r')];
  const damaged = (await save({ installationId, registrationId }))?.objectId ?? '';
  const sound = (await save({}))?.objectId ?? '';
  await t.redis.hset(t.keys.records(app, shardOf(damaged)), damaged, text);
  return { damaged, sound, installationId, registrationId };
}

const walked = async (predicate?: Record<string, string>) => {
  const request = { app, bucket: 'hms/_default', from: { shard: 0, objectId: '' }, toShard: SHARDS, pageSize: 100 };
  const { devices } = await t.store.installations.walk({ ...request, predicate }).next();
  return devices.map(({ objectId }) => objectId).sort();
};

const sweep = (objectId: string) =>
  t.store.installations.sweep(app, shardOf(objectId), { stale: 0, dead: 0, ending: 0 });

/** Without it nobody knows in which bucket the device stands. */
async function aRecordWithoutFirstLine() {
  const [installationId, registrationId] = [unique('i'), unique('r')];
  const damaged = (await save({ installationId, registrationId }))?.objectId ?? '';
  const records = t.keys.records(app, shardOf(damaged));
  const text = (await t.redis.hget(records, damaged)) ?? '';
  await t.redis.hset(records, damaged, text.slice(text.indexOf('\n') + 1));
  return { damaged, installationId, registrationId };
}

const addresses = async () =>
  (
    await t.store.installations
      .walk({ app, bucket: 'hms/_default', from: { shard: 0, objectId: '' }, toShard: SHARDS, pageSize: 100 })
      .next()
  ).devices;

describe('a record without its first line', () => {
  it('is named by the sweep of its shard', async () => {
    const { damaged } = await aRecordWithoutFirstLine();
    await expect(sweep(damaged)).rejects.toThrow(damaged);
  });

  it('leaves no address behind when its device is saved with another registrationId', async () => {
    const { damaged, installationId } = await aRecordWithoutFirstLine();
    const registrationId = unique('r');
    expect(await save({ installationId, registrationId })).toMatchObject({ objectId: damaged, registrationId });
    expect(await addresses()).toEqual([{ objectId: damaged, registrationId }]);
    await expect(sweep(damaged)).resolves.toMatchObject({ removed: 0 });
    await expectCounted(t, app);
  });

  it('leaves no address behind when it is deleted', async () => {
    const { damaged } = await aRecordWithoutFirstLine();
    expect(await t.store.installations.remove(app, damaged)).toBe(true);
    expect(await addresses()).toEqual([]);
  });
});

describe.each(['hms/_default\nno JSON', 'hms/_default\n[1]', 'hms/_default\n{"deviceType":"andr'])(
  'a record that says %j',
  (text) => {
    it('keeps no push from the other devices', async () => {
      const { damaged, sound } = await aDamagedAndAnother(text);
      expect(await walked({ deviceType: 'android' })).toEqual([sound]);
      expect(await walked()).toEqual([damaged, sound].sort());
      const ids = await t.store.installations.installationIds(app, [damaged, sound]);
      expect([ids.get(damaged), typeof ids.get(sound)]).toEqual([undefined, 'string']);
    });

    it('keeps nobody from what is read of the others', async () => {
      const { sound } = await aDamagedAndAnother(text);
      const only = { results: [expect.objectContaining({ objectId: sound })] };
      expect(await t.store.installations.export({ app, limit: 10 })).toMatchObject(only);
      expect(await t.store.installations.scan({ app, where: { deviceType: 'android' }, limit: 10 })).toMatchObject(
        only,
      );
    });

    it('is named by the sweep of its shard, and can be deleted', async () => {
      const { damaged } = await aDamagedAndAnother(text);
      await expect(sweep(damaged)).rejects.toThrow(damaged);
      await expectCounted(t, app);
      expect(await t.store.installations.remove(app, damaged)).toBe(true);
      expect(await walked()).not.toContain(damaged);
      await expect(sweep(damaged)).resolves.toMatchObject({ removed: 0 });
      await expectCounted(t, app);
    });

    it('is made anew by the next save of its device, with the same objectId', async () => {
      const { damaged, sound, installationId } = await aDamagedAndAnother(text);
      const registrationId = unique('r');
      expect(await save({ installationId, registrationId })).toMatchObject({ objectId: damaged, registrationId });
      expect(await walked({ deviceType: 'android' })).toEqual([damaged, sound].sort());
      expect(await walked()).toEqual([damaged, sound].sort());
      await expect(sweep(damaged)).resolves.toMatchObject({ removed: 0 });
      await expectCounted(t, app);
    });
  },
);
