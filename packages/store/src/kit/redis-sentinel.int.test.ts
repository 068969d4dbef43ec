import { freePort, startRedisSentinels, until, type RedisSentinels, type RedisServer } from '@pushfleet/testing';
import { Redis } from 'ioredis';
import { once } from 'node:events';
import { connectStore, type StoreEnvironment } from '../connect-store';
import { listReaderOf } from './lists/list-reader';
import { openRedis } from './redis';
import { readRedisFacts } from './redis-facts';

let redis: RedisSentinels;
const TIMEOUT_MS = 90_000;

beforeAll(async () => {
  redis = await startRedisSentinels();
}, TIMEOUT_MS);
afterAll(() => redis.close());

/** Whichever node is the master at the moment, and the other one. */
async function nodesNow(): Promise<{ readonly master: RedisServer; readonly replica: RedisServer }> {
  const url = await redis.master();
  const [first, second] = redis.nodes;
  return url === first.url ? { master: first, replica: second } : { master: second, replica: first };
}

const errors: Error[] = [];
beforeEach(() => void errors.splice(0));

const connect = async (env: Partial<StoreEnvironment> = {}, patience: 'wait' | 'fail-fast' = 'wait') => {
  const given = { REDIS_URL: redis.url, KEY_PREFIX: 'test', PUSH_RETENTION_MS: 60_000, OUTCOME_BYTES: 0, ...env };
  const { redis: client } = await connectStore(
    { ...given, NODE_ENV: 'test' },
    {
      ...{ patience, vendors: new Map(), onError: (error) => errors.push(error) },
      onRedisAway: (reason) => {
        throw new Error(`taken for away: ${reason}`);
      },
    },
  );
  return client as Redis;
};

it('sentinels that cannot help are told in one line that names the variable', async () => {
  const [first] = redis.sentinels;
  const sentinel = new URL(first?.url ?? '').host;
  const node = new URL(redis.nodes[0].url).host;
  const cases = [
    [
      `redis+sentinel://${sentinel}/mian`,
      `REDIS_URL: the sentinels (${sentinel}) name no master "mian"; they watch main: name one of them`,
    ],
    [
      `redis+sentinel://${node}/main`,
      `REDIS_URL: what answers at ${node} is no sentinel: name the sentinels, usually on port 26379`,
    ],
  ] as const;
  for (const [REDIS_URL, line] of cases)
    await expect(connect({ REDIS_URL })).rejects.toMatchObject({ code: 'config-invalid', lines: [line] });
});

it('the password of the sentinels is theirs alone', async () => {
  const { url } = redis.sentinels[2] ?? redis;
  const [REDIS_URL, direct] = [`${url.replace('redis:', 'redis+sentinel:')}/main`, new Redis(url)];
  await direct.call('ACL', 'SETUSER', 'default', 'resetpass', '>sesame');
  try {
    for (const REDIS_SENTINEL_PASSWORD of [undefined, 'another'])
      await expect(connect({ REDIS_URL, REDIS_SENTINEL_PASSWORD })).rejects.toMatchObject({
        lines: [expect.stringMatching(/^REDIS_SENTINEL_PASSWORD: the sentinel at 127.* refuses it, or wants one/)],
      });
    const client = await connect({ REDIS_URL, REDIS_SENTINEL_PASSWORD: 'sesame' });
    expect(await client.ping()).toBe('PONG');
    client.disconnect();
  } finally {
    await direct.call('ACL', 'SETUSER', 'default', 'nopass');
    direct.disconnect();
  }
});

it('sentinels that are not there are waited for', async () => {
  const REDIS_URL = `redis+sentinel://127.0.0.1:${await freePort()}/main`;
  await expect(connect({ REDIS_URL })).rejects.toThrow(/^taken for away: All sentinels are unreachable/);
});

it('one sentinel that lives is enough, and the facts name the master', async () => {
  const gone = `127.0.0.1:${await freePort()}`;
  const client = await connect({ REDIS_URL: redis.url.replace('://', `://${gone},`) });
  const [facts] = await readRedisFacts(client, { now: Date.now, namespace: 'test' });
  expect(facts).toMatchObject({ node: new URL(await redis.master()).host, isOpen: false });
  client.disconnect();
});

it('a connection whose Redis refuses to write is ended once, and looks for its master again', async () => {
  const { replica } = await nodesNow();
  const client = (await openRedis({ url: replica.url, patience: 'wait', onError: () => undefined })) as Redis;
  const seen: string[] = [];
  jest.spyOn(client, 'disconnect').mockImplementation((reconnect) => {
    seen.push('disconnect');
    Redis.prototype.disconnect.call(client, reconnect);
  });
  client.on('close', () => seen.push('close'));
  for (const round of [1, 2]) {
    const writes = Array.from({ length: 30 }, (_, n) => client.set(`a${n}`, '1'));
    for (const write of await Promise.allSettled(writes)) expect(write).toMatchObject({ status: 'rejected' });
    await until(() => client.status === 'ready' && seen.length >= 2 * round);
  }
  expect(seen).toEqual(seen.map((_, n) => (n % 2 === 0 ? 'disconnect' : 'close')));
  client.disconnect();
});

it('a connection that is made again and again goes round the sentinels without an error', async () => {
  const client = await connect();
  for (let n = 0; n <= 2 * redis.sentinels.length; n += 1) {
    client.disconnect(true);
    await once(client, 'ready');
  }
  expect(errors).toEqual([]);
  client.disconnect();
});

it('a sentinel that cannot be listened to is told of once', async () => {
  const deaf = new Redis(redis.sentinels[1]?.url ?? '');
  await deaf.call('ACL', 'SETUSER', 'default', '-subscribe');
  try {
    const client = await connect();
    await until(() => errors.length > 0);
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(`^the sentinel at 127.0.0.1:${deaf.options.port} cannot be listened to: NOPERM`),
    ]);
    client.disconnect();
  } finally {
    await deaf.call('ACL', 'SETUSER', 'default', '+subscribe');
    deaf.disconnect();
  }
});

it(
  'every connection goes to the new master when the old one hangs, and none stays with it when it goes on',
  async () => {
    const { master } = await nodesNow();
    const [waiting, failing] = [await connect(), await connect({}, 'fail-fast')];
    const beside = waiting.duplicate();
    const clients = [waiting, beside, failing];
    try {
      await waiting.zadd('list', 0, 'a');
      expect(await waiting.wait(1, 10_000)).toBe(1);
      expect(await listReaderOf(waiting).rangeByLex('list', '-', 10)).toEqual(['a']);
      master.hang();
      const written = waiting.set('during', '1');
      await until(async () => (await redis.master()) !== master.url, { timeoutMs: 60_000, everyMs: 50 });
      expect(await written).toBe('OK');
      expect(await beside.get('during')).toBe('1');
      await until(async () => (await failing.set('after', '1')) === 'OK');
      master.goOn();
      const roles = await Promise.all(clients.map((client) => client.info('replication')));
      expect(roles.map((role) => /role:(\w+)/.exec(role)?.[1])).toEqual(['master', 'master', 'master']);
      expect(await listReaderOf(waiting).rangeByLex('list', '-', 10)).toEqual(['a']);
    } finally {
      master.goOn();
      for (const client of clients) client.disconnect();
    }
  },
  TIMEOUT_MS,
);
