import { anInstallation, unique } from '@pushfleet/testing';
import { storeUnderTest } from '../../testing/store-under-test';

const t = storeUnderTest();

const save = (channels: readonly string[]) =>
  t.store.installations.save({ app: t.app, body: anInstallation({ channels }), now: t.clock.now() });

test('subscribers are found with their documents, whether the index is known to be whole or not', async () => {
  const [ann, bob] = [unique('ann'), unique('bob')];
  await Promise.all([save([ann]), save([ann, bob]), save([bob]), save(['other'])]);
  const find = async (store = t.store, limit = 10) => {
    const found = await store.installations.channels.subscribersOf(t.app, [ann, bob, 'nobody'], limit);
    return found?.map(({ installation, bucket }) => [installation.channels, bucket]);
  };
  const [bucket] = await t.store.installations.bucketNames(t.app);
  const expected = [[ann], [ann, bob], [bob]].map((names) => [names, bucket]);
  const { channels } = t.store.installations;
  expect(await channels.isSound(t.app)).toBe(false);
  expect(await find()).toEqual(expect.arrayContaining(expected));
  const settledAt = await channels.noteFleet({ now: t.clock.now(), isFresh: async () => true });
  await channels.check(t.app, { now: t.clock.now, settledAt, stopping: new AbortController().signal });
  expect(await channels.isSound(t.app)).toBe(true);
  const sound = await find(t.open());
  expect(sound).toEqual(expect.arrayContaining(expected));
  expect(sound).toHaveLength(3);
  expect(await find(t.open(), 3)).toBeUndefined();
  expect(await channels.subscribersOf(t.app, [], 1)).toEqual([]);
});
