import { anInstallation, unique } from '@pushfleet/testing';
import { shardOf } from '../../kit/shards';
import { storeUnderTest } from '../../testing/store-under-test';

const t = storeUnderTest();

const save = (channels: readonly string[], by = t.store) =>
  by.installations.save({ app: t.app, body: anInstallation({ channels }), now: t.clock.now() });

const names = (what: string, count: number): readonly string[] => Array.from({ length: count }, () => unique(what));

/** Makes the index of the app known to be whole; answers a store that believes it. */
async function settled() {
  const { channels } = t.store.installations;
  const settledAt = await channels.noteFleet({ now: t.clock.now(), isFresh: async () => true });
  await channels.check(t.app, { now: t.clock.now, settledAt, stopping: new AbortController().signal });
  expect(await channels.isSound(t.app)).toBe(true);
  return t.open();
}

const find = async (channels: readonly string[], by = t.store) =>
  by.installations.channels.subscribersOfEach(t.app, channels);

test('subscribers of each channel are found, the last saved first, whether the index is known to be whole or not', async () => {
  const [ann, bob] = [unique('ann'), unique('bob')];
  const ids: string[] = [];
  for (const channels of [[ann], [ann, bob], [bob], ['other']]) {
    const saved = await save(channels);
    ids.push(saved?.installation.objectId ?? '');
    t.clock.advance(1000);
  }
  const [bucket] = await t.store.installations.bucketNames(t.app);
  const check = async (by = t.store) => {
    const found = await find([ann, bob, 'nobody'], by);
    const [first, both, second] = ids;
    expect(
      [...(found?.of ?? [])].map(([name, of]) => [name, of.map(({ installation }) => installation.objectId)]),
    ).toEqual(
      expect.arrayContaining([
        [ann, [both, first]],
        [bob, [second, both]],
      ]),
    );
    expect(found?.of.size).toBe(2);
    expect(found?.crowded.size).toBe(0);
    expect(found?.of.get(ann)?.[0]).toMatchObject({ bucket, installation: { registrationId: expect.any(String) } });
  };
  expect(await t.store.installations.channels.isSound(t.app)).toBe(false);
  await check();
  await check(await settled());
  expect(await find([])).toMatchObject({ of: new Map() });
});

test('while the index is not known to be whole, more channels than can be looked for everywhere are not answered', async () => {
  const fresh = unique('app');
  const channels = names('c', 17);
  const { subscribersOfEach } = t.store.installations.channels;
  expect(await subscribersOfEach(fresh, channels)).toBeUndefined();
  expect(await subscribersOfEach(fresh, channels.slice(1))).toMatchObject({ of: new Map() });
});

test('a channel of many devices is crowded and hides no other', async () => {
  const [crowd, ann] = [unique('crowd'), unique('ann')];
  await Promise.all(Array.from({ length: 65 }, () => save([crowd])));
  await save([ann, crowd]);
  const found = await find([crowd, ann], await settled());
  expect([...(found?.crowded ?? [])]).toEqual([crowd]);
  expect([...(found?.of.keys() ?? [])]).toEqual([ann]);
});

test('a channel that is crowded in one shard is known by it, whether the index is known to be whole or not', async () => {
  const crowd = unique('crowd');
  // Ids of one shard, which imports choose.
  const ids: string[] = [];
  for (let i = 0; ids.length < 65; i += 1) if (shardOf(`d${i}`) === 7) ids.push(`d${i}`);
  const at = new Date(t.clock.now()).toISOString();
  await t.store.installations.import(
    t.app,
    ids.map((objectId) => ({ objectId, doc: anInstallation({ channels: [crowd], createdAt: at, updatedAt: at }) })),
  );
  for (const by of [t.store, await settled()]) expect((await find([crowd], by))?.crowded).toEqual(new Set([crowd]));
});

test('channels that crowds of devices share take no look from those of few', async () => {
  const [shared, ann] = [names('shared', 120), unique('ann')];
  await Promise.all(Array.from({ length: 60 }, () => save(shared)));
  await save([ann]);
  const found = await find([...shared, ann], await settled());
  expect(found?.of.get(ann)).toHaveLength(1);
  expect(found?.crowded.size).toBe(0);
  expect(found?.unasked.size).toBeGreaterThan(0);
  expect((found?.of.size ?? 0) + (found?.unasked.size ?? 0)).toBe(121);
});

test('ten devices of each of five hundred channels are all found, in however many shards they are', async () => {
  const channels = names('c', 500);
  const ofShards = new Map<number, string>();
  for (let i = 0; ofShards.size < 10; i += 1) ofShards.set(shardOf(`d${i}`), `d${i}`);
  const at = new Date(t.clock.now()).toISOString();
  await t.store.installations.import(
    t.app,
    [...ofShards.values()].map((objectId) => ({
      objectId,
      doc: anInstallation({ channels, createdAt: at, updatedAt: at }),
    })),
  );
  const found = await find(channels, await settled());
  expect([...(found?.of.values() ?? [])].filter(({ length }) => length === 10)).toHaveLength(500);
  expect([found?.crowded.size, found?.unasked.size]).toEqual([0, 0]);
});
