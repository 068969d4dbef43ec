import { freePort, startRedisProcess, until, type RedisServer } from '@pushfleet/testing';
import { Redis, type Cluster } from 'ioredis';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { isRedisAway } from './redis-away';
import { openRedis } from './redis';

/** A cluster of one node, which serves slots when it is told to. */
let node: RedisServer;
let direct: Redis;

const open = () => openRedis({ url: node.url, patience: 'wait', onError: () => undefined });
const serveAll = async (): Promise<void> => {
  await direct.cluster('ADDSLOTSRANGE', 0, 16_383);
  await until(async () => /cluster_state:ok/.test(String(await direct.cluster('INFO'))));
};

beforeAll(async () => {
  const bus = ['--cluster-port', String(await freePort()), '--cluster-announce-ip', '127.0.0.1'];
  node = await startRedisProcess({ args: ['--cluster-enabled', 'yes', ...bus] });
  direct = new Redis(node.url);
});
afterAll(async () => {
  direct.disconnect();
  await node.close();
});

test('a cluster that does not serve all slots is refused at once, and said to be that', async () => {
  await expect(open()).rejects.toThrow('does not serve all slots');
  await serveAll();
  const redis = await open();
  expect(await redis.set('a', '1')).toBe('OK');
  redis.disconnect();
});

test('a duplicate that is made while slots are missing is ready as soon as they are served', async () => {
  const redis = (await open()) as Cluster;
  await direct.cluster('DELSLOTSRANGE', 0, 100);
  await until(async () => /cluster_state:fail/.test(String(await direct.cluster('INFO'))));
  const duplicate = redis.duplicate();
  const seen: string[] = [];
  for (const event of ['connect', 'close', 'ready']) duplicate.on(event, () => seen.push(event));
  await until(() => seen.includes('close'));
  await direct.cluster('ADDSLOTSRANGE', 0, 100);
  await until(() => duplicate.status === 'ready');
  expect(seen.slice(0, 2)).toEqual(['connect', 'close']);
  duplicate.disconnect();
  redis.disconnect();
});

test('a Redis that cannot be reached leaves nothing that keeps the process', async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const url = `redis://127.0.0.1:${await freePort()}`;
  const config = { url, patience: 'wait', onError: () => undefined } as const;
  await expect(openRedis(config)).rejects.toThrow('ECONNREFUSED');
  expect(timers()).toBe(before);
});

test('one that takes the connection and says nothing is away, and said to be that', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await until(() => silent.listening);
  const url = `redis://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const config = { url, patience: 'wait', readyMs: 300, onError: () => undefined } as const;
  const failure = await openRedis(config).catch((error: unknown) => error);
  expect(isRedisAway(failure)).toBe(true);
  expect(failure).toMatchObject({ message: 'it takes the connection, and does not say that it is ready' });
  for (const socket of sockets) socket.destroy();
  silent.close();
});
