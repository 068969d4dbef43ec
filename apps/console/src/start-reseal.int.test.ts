import { setTimeout as delay } from 'node:timers/promises';
import { createLogger } from '@pushfleet/service-kit';
import { openRoleStore } from '@pushfleet/store';
import { SECRET_KEY, startRedisServer, until } from '@pushfleet/testing';
import { startReseal } from './start-reseal';

/** It looks every second. */
const SOME_LOOKS_MS = 2500;

it('an outage of Redis is told as one, and not as a sealing that failed', async () => {
  const server = await startRedisServer();
  const lines: string[] = [];
  const log = createLogger({ LOG_LEVEL: 'info', LOG_TO: 'stderr' }, 'console', {
    write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg),
  });
  const closers: (() => unknown)[] = [];
  const stopping = new AbortController();
  const { store } = await openRoleStore(
    {
      config: {
        ...{ REDIS_URL: server.url, KEY_PREFIX: 'test', SECRET_KEY, NODE_ENV: 'test' },
        ...{ PUSH_RETENTION_MS: 60_000, OUTCOME_BYTES: 0 },
      },
      log,
      admin: { addReadiness: () => undefined },
      onClose: (_, close) => closers.push(close),
      join: () => Promise.resolve(),
      onRedisAway: () => undefined,
      stopping: stopping.signal,
    },
    { vendors: new Map(), patience: 'fail-fast' },
  );
  const { sealing, leases } = store;
  const reseal = startReseal({ sealing, leases, stopping: stopping.signal, log });
  try {
    await server.kill();
    await until(() => lines.includes('redis'));
    await delay(SOME_LOOKS_MS);
    await server.start();
    await until(() => lines.includes('Redis answers again'));
    expect(lines).toEqual(['redis', 'Redis answers again']);
  } finally {
    stopping.abort();
    await reseal.stop();
    for (const close of closers) await close();
    await server.close();
  }
});
