import {
  connectTestRedis,
  endConnection,
  mastersOf,
  startRedisServer,
  unique,
  until,
  type RedisServer,
} from '@pushfleet/testing';
import type { Cluster, Redis } from 'ioredis';
import type { Hint } from './gateways';
import { storeUnderTest } from '../testing/store-under-test';

const t = storeUnderTest();
const aNode = () => ({ id: unique('node'), urls: ['ws://127.0.0.1:1'], isDraining: false });
const aHint = (reference: string): Hint => ({ kind: 'stored', app: t.app, reference, installationIds: ['a'] });

async function listening(nodeId: string, onError?: (error: Error) => void) {
  const seen = { heard: [] as Hint[], gaps: 0, beats: 0 };
  const stop = await t.store.gateways.listen(nodeId, {
    onHint: (hint) => void seen.heard.push(hint),
    onBeat: () => void (seen.beats += 1),
    onGap: () => void (seen.gaps += 1),
    onError:
      onError ??
      ((error) => {
        throw error;
      }),
  });
  t.harness.onClose(stop);
  return seen;
}

it('a node lives while its heart beats, with what it announces', async () => {
  const node = aNode();
  await t.store.gateways.beat(node);
  expect(await t.open().gateways.living()).toContainEqual(node);
  await t.store.gateways.beat({ ...node, isDraining: true });
  expect(await t.open().gateways.living()).toContainEqual({ ...node, isDraining: true });
  await t.store.gateways.leave(node.id);
  expect((await t.open().gateways.living()).map(({ id }) => id)).not.toContain(node.id);
});

it('a node without a heartbeat counts as dead until it comes back', async () => {
  const node = aNode();
  await t.store.gateways.beat(node);
  const [seconds, micros] = await t.redis.time();
  const longAgo = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000) - 16_000;
  await t.redis.hset(t.keys.gateways(), node.id, `${longAgo} {"urls":[],"isDraining":false}`);
  expect((await t.open().gateways.living()).map(({ id }) => id)).not.toContain(node.id);
  await t.store.gateways.beat(node);
  expect(await t.open().gateways.living()).toContainEqual(node);
});

describe('a Redis that refuses writes', () => {
  let server: RedisServer;
  let redis: Redis | Cluster;
  beforeAll(async () => {
    server = await startRedisServer();
    redis = await connectTestRedis(server.url);
  });
  afterAll(async () => {
    await endConnection(redis);
    await server.close();
  });
  const refuse = (replicas: string) =>
    Promise.all(mastersOf(redis).map((master) => master.config('SET', 'min-replicas-to-write', replicas)));

  it('lists its nodes; one that is long gone is forgotten with the next beat', async () => {
    const [node, gone] = [aNode(), unique('node')];
    const { gateways } = t.open({ redis });
    await gateways.beat(node);
    await redis.hset(t.keys.gateways(), gone, '1000 {"urls":[],"isDraining":false}');
    await refuse('1');
    expect(await gateways.living()).toEqual([node]);
    expect(await redis.hexists(t.keys.gateways(), gone)).toBe(1);
    await refuse('0');
    await gateways.beat(node);
    expect(await redis.hkeys(t.keys.gateways())).toEqual([node.id]);
  });
});

it('the list of nodes is read again after a second', async () => {
  const store = t.open();
  await store.gateways.living();
  const node = aNode();
  await t.store.gateways.beat(node);
  expect(await store.gateways.living()).not.toContainEqual(node);
  t.clock.advance(1000);
  expect(await store.gateways.living()).toContainEqual(node);
});

it('hints arrive in order at the node that they are for', async () => {
  const [one, two] = [unique('node'), unique('node')];
  const [heardOne, heardTwo] = [await listening(one), await listening(two)];
  await t.store.gateways.hint(one, aHint('1'));
  await t.open().gateways.hint(one, aHint('2'));
  await until(() => heardOne.heard.length === 2);
  expect(heardOne).toEqual({ heard: [aHint('1'), aHint('2')], gaps: 0, beats: 0 });
  expect(heardTwo.heard).toEqual([]);
});

it('a hint that was lost is noticed, by the next heartbeat at the latest', async () => {
  const node = aNode();
  const seen = await listening(node.id);
  await t.store.gateways.beat(node);
  await until(() => seen.beats === 1);
  await t.redis.incr(t.keys.hints(node.id).sequence);
  await t.store.gateways.beat(node);
  await until(() => seen.beats === 2);
  expect(seen.gaps).toBe(1);
});

it.each(['no JSON', '5', '{"kind":"stored","app":"a"}', '{"kind":"later"}'])(
  'a hint that says %j is told, and the mailboxes are read again for what it may have said',
  async (text) => {
    const [nodeId, errors] = [unique('node'), [] as Error[]];
    const seen = await listening(nodeId, (error) => void errors.push(error));
    await t.redis.spublish(t.keys.hints(nodeId).channel, `1 ${text}`);
    await until(() => errors.length === 1);
    await t.redis.set(t.keys.hints(nodeId).sequence, '1');
    await t.store.gateways.hint(nodeId, aHint('2'));
    await until(() => seen.heard.length === 1);
    expect(seen).toEqual({ heard: [aHint('2')], gaps: 1, beats: 0 });
  },
);

it.each(['no announcement', '', 'NOW no JSON', 'NOW {"urls":5}', 'NOW'])(
  'an announcement that says %j hides no other node, and is replaced by the next of its own',
  async (text) => {
    const [node, damaged] = [aNode(), aNode()];
    await t.store.gateways.beat(node);
    await t.redis.hset(t.keys.gateways(), damaged.id, text.replace('NOW', String(Date.now())));
    const living = async () =>
      (await t.open().gateways.living()).filter(({ id }) => [node.id, damaged.id].includes(id));
    expect(await living()).toEqual([node]);
    await t.store.gateways.beat(node);
    await t.store.gateways.beat(damaged);
    expect((await living()).map(({ id }) => id).sort()).toEqual([node.id, damaged.id].sort());
  },
);
