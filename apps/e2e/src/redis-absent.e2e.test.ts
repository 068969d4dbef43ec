import { randomBytes } from 'node:crypto';
import { freePort, startRedisServer, until, type RedisServer } from '@pushfleet/testing';
import { forkApp, type ForkedApp } from './testing/forked-app';

interface Started extends ForkedApp {
  readonly probes: string;
}

const ROLES = ['ingress', 'dispatcher', 'channel-worker', 'gateway', 'user-info', 'console'];
const TIMEOUT_MS = 120_000;
/** Of a start; on a busy machine six of them take their time. */
const STARTED = { everyMs: 100 };

let redis: RedisServer;
let processes: ReadonlyMap<string, Started>;

async function start(role: string): Promise<Started> {
  const port = await freePort();
  const started = forkApp(role, {
    ...{ REDIS_URL: redis.url, METRICS_PORT: String(port), LOG_LEVEL: 'warn', CHANNEL: 'hms', DRAIN_MS: '0' },
    ...{ SECRET_KEY, ADMIN_TOKEN: 'admin-token' },
    ...{ INGRESS_PORT: '0', GATEWAY_PORT: '0', USER_INFO_PORT: '0', CONSOLE_PORT: '0' },
  });
  return { ...started, probes: `http://127.0.0.1:${port}` };
}
const SECRET_KEY = randomBytes(32).toString('base64');

const startAll = async (): Promise<ReadonlyMap<string, Started>> =>
  new Map(await Promise.all(ROLES.map(async (role) => [role, await start(role)] as const)));

const probe = async ({ probes, output }: Started, path: string) => {
  const answer = await fetch(`${probes}${path}`).catch((cause: unknown) => {
    throw new Error(output(), { cause });
  });
  return { status: answer.status, body: await answer.text() };
};

const readiness = (role: string): ReturnType<typeof probe> => probe(processes.get(role) as Started, '/readyz');

beforeAll(async () => {
  redis = await startRedisServer();
  await redis.stop();
  processes = await startAll();
}, TIMEOUT_MS);

afterAll(async () => {
  for (const { child } of processes.values()) child.kill('SIGKILL');
  await Promise.all([...processes.values()].map(({ left }) => left));
  await redis.close();
});

test(
  'every process waits for a Redis that is not there yet, lives, and says what it waits for',
  async () => {
    for (const role of ROLES) {
      const waits = await until(async () => {
        const answer = await readiness(role);
        return answer.body.includes('Redis') ? answer : undefined;
      }, STARTED);
      expect([role, waits]).toEqual([role, { status: 503, body: expect.stringMatching(/waits for Redis: .*\d/) }]);
      const started = processes.get(role) as Started;
      expect([role, (await probe(started, '/healthz')).status]).toEqual([role, 200]);
      expect(started.output()).toContain('waiting for Redis');
      // Once, and not with every try.
      expect(started.output().split('\n').length).toBeLessThan(5);
    }
  },
  TIMEOUT_MS,
);

test(
  'one that is told to leave while it waits leaves in order',
  async () => {
    const waiting = await start('dispatcher');
    await until(() => waiting.output().includes('waiting for Redis'), STARTED);
    waiting.child.kill('SIGTERM');
    expect(await waiting.left).toEqual({ code: 0, signal: null });
  },
  TIMEOUT_MS,
);

test(
  'every process serves as soon as Redis is there',
  async () => {
    await redis.start();
    for (const role of ROLES) {
      const isReady = async (): Promise<boolean> => (await readiness(role)).status === 200;
      await until(isReady, STARTED);
      expect([role, processes.get(role)?.child.exitCode]).toEqual([role, null]);
    }
  },
  TIMEOUT_MS,
);

test(
  'every process leaves by itself, long before its deadline, when Redis was stopped beside it',
  async () => {
    await redis.stop();
    for (const { child } of processes.values()) child.kill('SIGTERM');
    for (const [role, { left, output }] of processes) {
      const { signal } = await left;
      expect([role, signal, output().includes('still open at the deadline')]).toEqual([role, null, false]);
    }
  },
  TIMEOUT_MS,
);
