import { Redis } from 'ioredis';
import { endConnection } from './end-connection';
import { startRedisProcess, type RedisServer } from './redis-server';

let server: RedisServer;
beforeAll(async () => {
  server = await startRedisProcess({ args: ['--appendfsync', 'always'] });
});
afterAll(() => server.close());

async function ask<T>(question: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(server.url, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return await question(redis);
  } finally {
    endConnection(redis);
  }
}

it('never evicts and keeps an append-only file', async () => {
  const info = await ask((redis) => redis.info());
  expect(info).toContain('maxmemory_policy:noeviction');
  expect(info).toContain('aof_enabled:1');
});

it.each(['stop', 'kill'] as const)('has its data and its address after a %s', async (how) => {
  const { url } = server;
  await ask((redis) => redis.set('key', how));
  await server[how]();
  await expect(ask((redis) => redis.ping())).rejects.toThrow();
  await server.start();
  expect(await ask((redis) => redis.get('key'))).toBe(how);
  expect(server.url).toBe(url);
});

it('that cannot start says why', async () => {
  await expect(startRedisProcess({ args: ['--no-such-option', 'x'] })).rejects.toThrow('no-such-option');
});

it('that is not installed is a clear error', async () => {
  const { PATH } = process.env;
  process.env['PATH'] = '/nowhere';
  try {
    await expect(startRedisProcess()).rejects.toThrow('no redis-server on the PATH');
  } finally {
    process.env['PATH'] = PATH;
  }
});
