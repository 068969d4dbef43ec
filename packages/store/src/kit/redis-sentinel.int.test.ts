import { freePort, startRedisSentinels, until, type RedisSentinels } from '@pushfleet/testing';
import { Redis } from 'ioredis';
import { connectStore, type StoreEnvironment } from '../connect-store';
import { listReaderOf } from './lists/list-reader';
import { openRedis } from './redis';
import { readRedisFacts } from './redis-facts';

let redis: RedisSentinels;
const TIMEOUT_MS = 90_000;

beforeAll(async () => {
  redis = await startRedisSentinels({ downAfterMs: 1000 });
}, TIMEOUT_MS);
afterAll(() => redis.close());

const connect = async (env: Partial<StoreEnvironment> = {}, patience: 'wait' | 'fail-fast' = 'wait') => {
  const given = { REDIS_URL: redis.url, KEY_PREFIX: 'test', PUSH_RETENTION_MS: 60_000, OUTCOME_BYTES: 0, ...env };
  const { redis: client } = await connectStore(
    { ...given, NODE_ENV: 'test' },
    {
      ...{ patience, vendors: new Map(), onError: () => undefined },
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
  const [facts] = await readRedisFacts(client, Date.now);
  expect(facts).toMatchObject({ node: new URL(await redis.master()).host, isOpen: false });
  client.disconnect();
});

it('a connection whose Redis refuses to write looks for its master again', async () => {
  const config = { url: redis.nodes[1].url, patience: 'wait', onError: () => undefined } as const;
  const client = (await openRedis(config)) as Redis;
  const id = (): Promise<number> => client.client('ID');
  const before = await id();
  await expect(client.set('a', '1')).rejects.toThrow(/^READONLY/);
  await until(async () => (await id()) !== before);
  client.disconnect();
});

it(
  'every connection goes to the new master when the old one hangs, and none stays with it when it goes on',
  async () => {
    const old = await redis.master();
    const [waiting, failing] = [await connect(), await connect({}, 'fail-fast')];
    const beside = waiting.duplicate();
    const clients = [waiting, beside, failing];
    try {
      await waiting.zadd('list', 0, 'a');
      expect(await waiting.wait(1, 10_000)).toBe(1);
      expect(await listReaderOf(waiting).rangeByLex('list', '-', 10)).toEqual(['a']);
      redis.hang();
      const written = waiting.set('during', '1');
      await until(async () => (await redis.master()) !== old, { timeoutMs: 60_000, everyMs: 50 });
      expect(await written).toBe('OK');
      expect(await beside.get('during')).toBe('1');
      await until(async () => (await failing.set('after', '1')) === 'OK');
      redis.goOn();
      const roles = await Promise.all(clients.map((client) => client.info('replication')));
      expect(roles.map((role) => /role:(\w+)/.exec(role)?.[1])).toEqual(['master', 'master', 'master']);
      expect(await listReaderOf(waiting).rangeByLex('list', '-', 10)).toEqual(['a']);
    } finally {
      redis.goOn();
      for (const client of clients) client.disconnect();
    }
  },
  TIMEOUT_MS,
);
