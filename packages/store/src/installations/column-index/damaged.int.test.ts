import { unique } from '@pushfleet/testing';
import { shardOf } from '../../kit/shards';
import { storeUnderTest } from '../../testing/store-under-test';

const t = storeUnderTest();
const never = new AbortController().signal;

const noteFleet = (): Promise<number> =>
  t.store.installations.channels.noteFleet({ now: t.clock.now(), isFresh: () => Promise.resolve(true) });

const saved = async (app: string, body: object, store = t.store) =>
  (await store.installations.save({ app, body: { deviceType: 'android', ...body } as never, now: t.clock.now() }))
    ?.installation?.objectId ?? '';

async function anIndexedApp(): Promise<string> {
  const app = unique('app');
  const settledAt = await noteFleet();
  await t.store.installations.columns.declare(app, 'user');
  await t.open().installations.columns.work(app, { now: t.clock.now, settledAt, stopping: never });
  return app;
}

const columns = async (app: string) => (await t.open().installations.columns.all()).get(app);
const damage = (app: string, text: string) => t.redis.hset(t.keys.columnIndexes(), `${app} columns`, text);

describe.each(['no JSON', '5', '{"generation":1}', '{"generation":1,"columns":{"user":5}}'])(
  'a record of columns that says %s',
  (text) => {
    it('keeps nobody from what is told of other apps', async () => {
      const [app, other] = [await anIndexedApp(), await anIndexedApp()];
      await damage(app, text);
      expect(await columns(other)).toEqual([expect.objectContaining({ column: 'user', status: 'ready' })]);
    });

    it('keeps no device from being saved, and is told until the columns are declared again', async () => {
      const app = await anIndexedApp();
      const installationId = unique('i');
      const before = await saved(app, { installationId, user: 'ann' }, t.open());
      await damage(app, text);
      expect(await saved(app, { installationId, user: 'bob' }, t.open())).toBe(before);
      expect(await saved(app, { user: 'ann' }, t.open())).not.toBe('');
      expect(await t.store.installations.columns.forgotten()).toContain(app);
      await t.store.installations.columns.declare(app, 'user');
      expect(await t.store.installations.columns.forgotten()).not.toContain(app);
    });

    it('is made anew by who declares the column', async () => {
      const app = await anIndexedApp();
      const objectId = await saved(app, { user: 'ann' }, t.open());
      await damage(app, text);
      const store = t.open();
      expect(await store.installations.columns.declare(app, 'user')).toBe('declared');
      await store.installations.columns.work(app, { now: t.clock.now, settledAt: await noteFleet(), stopping: never });
      expect(await columns(app)).toEqual([expect.objectContaining({ status: 'ready' })]);
      expect(await t.redis.zcard(t.keys.column(app, shardOf(objectId), 'user'))).toBe(1);
    });
  },
);

it.each(['no JSON', '5', '{"since":"x"}'])(
  'what is known of the fleet is noted anew where it says %s',
  async (text) => {
    const app = await anIndexedApp();
    await t.redis.hset(t.keys.channelIndexes(), 'fleet', text);
    expect(await columns(app)).toEqual([expect.objectContaining({ status: 'building' })]);
    expect(await t.store.installations.channels.states()).toBeDefined();
    await noteFleet();
    expect(await columns(app)).toEqual([expect.objectContaining({ status: 'ready' })]);
  },
);
