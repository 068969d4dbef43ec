import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startRedisProcess } from '@pushfleet/testing';
import { Redis } from 'ioredis';
import { connectStore } from './connect-store';
import { readRedisFacts } from './kit/redis-facts';

const connect = (url: string, password?: string) =>
  connectStore(
    {
      REDIS_URL: url,
      REDIS_PASSWORD: password,
      KEY_PREFIX: 'test',
      PUSH_RETENTION_MS: 60_000,
      OUTCOME_BYTES: 0,
      NODE_ENV: 'test',
    },
    {
      ...{ patience: 'fail-fast', vendors: new Map(), onError: () => undefined },
      onRedisAway: (reason) => {
        throw new Error(`taken for away: ${reason}`);
      },
    },
  );

it('an address where Redis cannot be used is told in one line that names the variable, and no secret', async () => {
  const redis = await startRedisProcess();
  const direct = new Redis(redis.url);
  await direct.config('SET', 'requirepass', 'sesame');
  direct.disconnect();
  const other = createServer((_req, res) => res.end()).listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { host } = new URL(redis.url);
  const noRedis = `127.0.0.1:${(other.address() as AddressInfo).port}`;
  const refusals = [
    [`redis://${host}`, host, 'it wants a password, and the address has none'],
    [`redis://:hunter2@${host}`, host, 'it refuses the user name or the password'],
    [`redis://:sesame@${host}/99`, host, 'it has no database of that number'],
    [`redis://${noRedis}`, noRedis, 'what answers there is no Redis'],
  ] as const;
  try {
    for (const [url, at, problem] of refusals)
      await expect(connect(url)).rejects.toMatchObject({
        code: 'config-invalid',
        lines: [`REDIS_URL: Redis at ${at} cannot be used: ${problem}`],
      });
  } finally {
    other.closeAllConnections();
    other.close();
    await redis.close();
  }
});

it('a user that lacks commands, or the keys of the fleet, is told which rules to add', async () => {
  const server = await startRedisProcess();
  const direct = new Redis(server.url);
  const { host } = new URL(server.url);
  const refusalOf = async (...rules: readonly string[]): Promise<unknown> => {
    await direct.call('ACL', 'SETUSER', 'fleet', 'reset', 'on', '>sesame', ...rules);
    return connect(`redis://fleet:sesame@${host}`).catch((error: unknown) => error);
  };
  const told = (commands: string): string =>
    `REDIS_URL: Redis at ${host} cannot be used: its user fleet may not run ${commands} with the keys of this fleet; ` +
    'give it what docs/operate.md lists (ACL SETUSER fleet ';
  try {
    for (const command of ['evalsha', 'eval'])
      expect(await refusalOf('allkeys', '+@all', `-${command}`)).toMatchObject({
        lines: [`${told(command)}+${command} ~test:* &test:*)`],
      });
    expect(await refusalOf('allkeys', 'allchannels', '+@all', '-xadd', '-memory|usage')).toMatchObject({
      lines: [`${told('memory|usage, xadd')}+memory|usage +xadd ~test:* &test:*)`],
    });
    expect(await refusalOf('~another:*', 'allchannels', '+@all')).toMatchObject({
      lines: [expect.stringMatching(/may not run blpop, .* and \d+ more with the keys of this fleet; .* ~test:\* /)],
    });
  } finally {
    direct.disconnect();
    await server.close();
  }
});

it('a user that lacks what a fleet can do without is taken', async () => {
  const server = await startRedisProcess();
  const direct = new Redis(server.url);
  await direct.call(
    'ACL',
    'SETUSER',
    'fleet',
    'on',
    '>sesame',
    '~test:*',
    '&test:*',
    '+@all',
    '-config',
    '-select',
    '-client|list',
  );
  const { redis } = await connect(server.url.replace('://', '://fleet:sesame@'));
  const [facts] = await readRedisFacts(redis, { now: Date.now, namespace: 'test' });
  expect(facts?.rights).toEqual({
    refused: [],
    lacks: [
      expect.stringMatching(/^client\|list: /),
      expect.stringMatching(/^config\|get: /),
      expect.stringMatching(/^select: /),
    ],
  });
  for (const one of [redis, direct]) one.disconnect();
  await server.close();
});

it('a password stands in the address, or beside it', async () => {
  const server = await startRedisProcess();
  const password = 'a:b/c@%25 d';
  const direct = new Redis(server.url);
  await direct.config('SET', 'requirepass', password);
  direct.disconnect();
  const { host } = new URL(server.url);
  const inside = `redis://:${encodeURIComponent(password)}@${host}`;
  try {
    for (const [url, given] of [
      [inside, undefined],
      [`redis://${host}`, password],
      [inside, 'another'],
    ] as const) {
      const { redis } = await connect(url, given);
      expect(await redis.ping()).toBe('PONG');
      redis.disconnect();
    }
    await expect(connect(`redis://${host}`, 'another')).rejects.toMatchObject({ code: 'config-invalid' });
  } finally {
    await server.close();
  }
});
