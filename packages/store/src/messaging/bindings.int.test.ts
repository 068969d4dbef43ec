import { LIMITS } from '@pushfleet/domain';
import { unique } from '@pushfleet/testing';
import { ALL_SHARDS, shardOf } from '../kit/shards';
import { storeUnderTest } from '../testing/store-under-test';
import { openBindings } from './bindings';

const t = storeUnderTest();
const DAY = 86_400_000;
const KEPT = LIMITS.boundWithoutInstallationMs.value;

/** One for each test: a sweep of a shard finds every client in it. */
let app: string;
let client: string;
beforeEach(() => {
  app = unique('app');
  client = unique('client');
});

async function bound() {
  const installationId = unique('i');
  const saved = await t.store.installations.save({ app, body: { installationId }, now: t.clock.now() });
  const objectId = saved?.installation.objectId ?? '';
  await t.store.messaging.bindings.bind(app, { client, installationId, objectId });
  return { installationId, objectId };
}
const sweep = () => t.store.messaging.bindings.sweep(app, { shard: shardOf(client), now: t.clock.now() });
const left = async () => (await t.store.messaging.bindings.of(app, [client])).get(client) ?? [];
const remove = (objectId: string) => t.store.installations.remove(app, objectId);
const save = (installationId: string) =>
  t.store.installations.save({ app, body: { installationId }, now: t.clock.now() });

it('those of an installation that is there stay, however long nobody logged in or out', async () => {
  const { installationId, objectId } = await bound();
  for (let years = 0; years < 3; years += 1) {
    await sweep();
    t.clock.advance(365 * DAY);
  }
  // Out of the audience, and not removed.
  const before = { stale: t.clock.now(), dead: 0, ending: 0 };
  expect(await t.store.installations.sweep(app, shardOf(objectId), before)).toMatchObject({ stale: 1 });
  await sweep();
  t.clock.advance(KEPT + 1);
  await sweep();
  expect(await left()).toEqual([installationId]);
});

it('those of one that is gone end so long after a sweep first missed it, and the others of the client stay', async () => {
  const [gone, there] = [await bound(), await bound()];
  await remove(gone.objectId);
  t.clock.advance(2 * KEPT);
  await sweep();
  t.clock.advance(KEPT);
  await sweep();
  expect(await left()).toEqual([there.installationId, gone.installationId]);
  t.clock.advance(1);
  await sweep();
  expect(await left()).toEqual([there.installationId]);
});

it('those of one that is saved anew, or bound anew, count from the start', async () => {
  const { installationId, objectId } = await bound();
  const unsaved = unique('i');
  await t.store.messaging.bindings.bind(app, { client, installationId: unsaved });
  await remove(objectId);
  await sweep();
  t.clock.advance(KEPT);
  const again = await save(installationId);
  await sweep();
  await remove(again?.installation.objectId ?? '');
  await t.store.messaging.bindings.bind(app, { client, installationId: unsaved });
  t.clock.advance(DAY);
  await sweep();
  expect(await left()).toEqual([unsaved, installationId]);
});

it('a log-out by either id ends one whose installation was missed', async () => {
  const [one, other] = [await bound(), await bound()];
  for (const { objectId } of [one, other]) await remove(objectId);
  await sweep();
  const { unbind } = t.store.messaging.bindings;
  expect(await unbind(app, { client, ids: [one.objectId] })).toEqual([one.installationId]);
  expect(await unbind(app, { client, ids: [other.installationId] })).toEqual([other.installationId]);
});

it('nothing is left of clients none of whose installations is left', async () => {
  const clients = Array.from({ length: 600 }, (_, i) => unique(`c${i}x`));
  const { bindings } = t.store.messaging;
  await Promise.all(clients.map((of) => bindings.bind(app, { client: of, installationId: unique('i') })));
  for (let rounds = 0; rounds < 2; rounds += 1) {
    for (const shard of ALL_SHARDS) await bindings.sweep(app, { shard, now: t.clock.now() });
    t.clock.advance(KEPT + 1);
  }
  expect((await bindings.of(app, clients)).size).toBe(0);
  expect(await Promise.all(ALL_SHARDS.map((shard) => t.redis.exists(t.keys.bindings(app, shard))))).not.toContain(1);
});

it('one that is bound while a sweep looks is not lost, and waits for the next sweep', async () => {
  const { objectId } = await bound();
  await remove(objectId);
  const installationId = unique('i');
  const existing = async () => {
    await t.store.messaging.bindings.bind(app, { client, installationId });
    return new Set<string>();
  };
  const memory = { requireRoom: async () => undefined };
  const room = { take: async () => undefined, note: () => undefined };
  const looking = openBindings({ redis: t.redis, keys: t.keys, memory, room, existing });
  await looking.sweep(app, { shard: shardOf(client), now: 0 });
  t.clock.advance(KEPT + 1);
  await sweep();
  expect(await left()).toHaveLength(2);
});
