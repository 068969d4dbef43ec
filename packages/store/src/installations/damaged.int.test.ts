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
