import { redisHarness, until } from '@pushfleet/testing';
import { Cluster } from 'ioredis';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { listReaderOf, openListReader } from './list-reader';
import { openRedis, type RedisClient } from '../redis';

const harness = redisHarness();
const key = `${harness.namespace}:{lists}`;
const members = Array.from({ length: 5000 }, (_, i) => `${String(i).padStart(8, '0')} ${'x'.repeat(i % 300)}`);
let redis: RedisClient;

beforeAll(async () => {
  redis = await another();
  harness.onClose(() => redis.quit());
  await redis.zadd(key, ...members.flatMap((member) => [0, member]));
});

const another = (): Promise<RedisClient> => openRedis({ url: harness.url, patience: 'wait', onError: () => undefined });

/** Ends the newest connection over which lists were read; on a cluster they are read over the shared ones. */
async function killReader(): Promise<void> {
  if (redis instanceof Cluster) return;
  const name = String(await redis.client('GETNAME'));
  const all = String(await redis.client('LIST')).split('\n');
  const readers = all.filter((line) => line.includes(` name=${name} `) && line.includes('cmd=zrangebylex'));
  await redis.client('KILL', 'ID', Number(/^id=(\d+)/.exec(readers.at(-1) ?? '')?.[1]));
}

test('lists that are asked for together come whole and in their places', async () => {
  const lists = listReaderOf(redis);
  const froms = [0, 4990, 17, 5000, 2500];
  const read = froms.map((from) => lists.rangeByLex(key, `[${String(from).padStart(8, '0')}`, 1000));
  expect(await Promise.all(read)).toEqual(froms.map((from) => members.slice(from, from + 1000)));
  expect(await lists.rangeByLex(`${key}:none`, '-', 10)).toEqual([]);
});

test('what Redis refuses is refused as over any connection', async () => {
  const lists = listReaderOf(redis);
  await expect(lists.rangeByLex(key, 'nothing', 10)).rejects.toThrow('min or max not valid string range item');
});

test('a connection that ends costs no list, and the next one has another', async () => {
  const lists = openListReader(redis, { readyMs: 30_000, restMs: 0 });
  await lists.rangeByLex(key, '-', 1);
  await killReader();
  const reads = Array.from({ length: 20 }, () => lists.rangeByLex(key, '-', 5000));
  for (const list of await Promise.all(reads)) expect(list).toEqual(members);
  expect(await lists.rangeByLex(key, '-', 3)).toEqual(members.slice(0, 3));
});

test('it ends with the connection beside which it stands', async () => {
  const other = await another();
  const lists = listReaderOf(other);
  expect(await lists.rangeByLex(key, '-', 3)).toHaveLength(3);
  const name = String(await other.call('CLIENT', 'GETNAME'));
  await other.quit();
  const open = async () => String(await redis.call('CLIENT', 'LIST')).includes(` name=${name} `);
  await until(async () => !(await open()), { timeoutMs: 30_000 });
  await expect(lists.rangeByLex(key, '-', 3)).rejects.toThrow();
});

describe('where the shared connection works, and another one', () => {
  const taken: Socket[] = [];
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

  /** Reads over a connection beside which no other one gets ready. */
  async function readWhere(onTaken: (socket: Socket) => void, readyMs: number): Promise<void> {
    const other = await another();
    const door = createServer((socket) => {
      taken.push(socket);
      onTaken(socket);
    }).listen(0, '127.0.0.1');
    await once(door, 'listening');
    const { port } = door.address() as AddressInfo;
    if (!(other instanceof Cluster)) Object.assign(other.options, { host: '127.0.0.1', port });
    const lists = openListReader(other, { readyMs, restMs: 600_000 });
    const before = timers();
    for (let n = 0; n < 5; n += 1)
      for (const list of await Promise.all([lists.rangeByLex(key, '-', 3), lists.rangeByLex(key, '-', 3)]))
        expect(list).toEqual(members.slice(0, 3));
    expect(taken).toHaveLength(other instanceof Cluster ? 0 : 1);
    await until(() => taken.every(({ destroyed }) => destroyed));
    expect(timers()).toBe(before);
    taken.length = 0;
    door.close();
    other.disconnect();
  }

  it('is refused, lists are read over the shared one, and none is tried at every list', async () => {
    await readWhere((socket) => void socket.destroy(), 30_000);
  });

  it('is taken and never answered, lists wait for it once and not for ever', async () => {
    await readWhere((socket) => void socket.resume(), 200);
  });
});

test('it ends when the shared connection closes, so that both go to the server that is there then', async () => {
  const other = await another();
  harness.onClose(() => other.quit());
  if (other instanceof Cluster) return;
  const lists = openListReader(other, { readyMs: 30_000, restMs: 0 });
  const own = Number(await other.client('ID'));
  const name = String(await other.client('GETNAME'));
  const named = async (): Promise<number[]> => {
    const all = String(await redis.call('CLIENT', 'LIST')).split('\n');
    return all.filter((line) => line.includes(` name=${name} `)).map((line) => Number(/^id=(\d+)/.exec(line)?.[1]));
  };
  await lists.rangeByLex(key, '-', 1);
  const before = await named();
  expect(before).toHaveLength(2);
  await redis.call('CLIENT', 'KILL', 'ID', own);
  await until(async () => !(await named()).some((id) => before.includes(id)), { timeoutMs: 30_000 });
  expect(await lists.rangeByLex(key, '-', 3)).toEqual(members.slice(0, 3));
});
