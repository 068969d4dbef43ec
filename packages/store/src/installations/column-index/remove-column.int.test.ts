import { unique } from '@pushfleet/testing';
import { shardOf } from '../../kit/shards';
import { asleep } from '../../testing/asleep';
import { storeUnderTest } from '../../testing/store-under-test';
import { KEPT_FOR_MS } from './remove-column';

const t = storeUnderTest();

async function work(app: string, store = t.open()): Promise<void> {
  const { now } = t.clock;
  const { channels } = t.store.installations;
  const settledAt = await channels.noteFleet({ now: now(), isFresh: () => Promise.resolve(true) });
  const stopping = new AbortController().signal;
  await channels.check(app, { now, settledAt, stopping });
  await store.installations.columns.work(app, { now, settledAt: await channels.columnsSettledAt(), stopping });
}

it.each([
  ['the index of a shard', (app: string, objectId: string) => t.keys.column(app, shardOf(objectId), 'user')],
  ['the name of a value', () => '$user=sann'],
])('a remover that slept before it removed %s leaves what was made anew', async (_, before) => {
  const app = unique('app');
  const { columns } = t.store.installations;
  const body = { deviceType: 'android', user: 'ann' };
  const saved = await t.store.installations.save({ app, body, now: t.clock.now() });
  const objectId = saved?.installation.objectId ?? '';
  await columns.declare(app, 'user');
  await work(app);
  await columns.remove(app, 'user');
  t.clock.advance(KEPT_FOR_MS);
  let slept = 0;
  const meanwhile = async (): Promise<void> => {
    slept += 1;
    await work(app);
    expect(await columns.declare(app, 'user')).toBe('declared');
    await work(app);
  };
  await work(app, t.open({ redis: asleep(t.redis, { before: before(app, objectId), meanwhile }) }));
  expect(slept).toBe(1);
  expect(await columns.of(app)).toMatchObject([{ column: 'user', status: 'ready' }]);
  const found = await (await t.open().installations.channels.narrow(app, { predicate: { user: 'ann' } }))?.read();
  expect(found?.map((device) => device.objectId)).toEqual([objectId]);
});
