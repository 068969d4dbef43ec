import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { until } from '@pushfleet/testing';
import type { DemoApp } from './fleet';
import { FREE_PORTS, PATH, runServe, serve, type Serving } from './testing/serving';

const ENV = {
  ...{ PATH, ...FREE_PORTS, ROLES: 'ingress,dispatcher,console,worker', CHANNEL: 'own', LOG_LEVEL: 'warn' },
  ...{ SECRET_KEY: randomBytes(32).toString('base64'), ADMIN_TOKEN: randomBytes(16).toString('hex') },
  // What it has of another is not asked for.
  ...{ REDIS_URL: 'redis://127.0.0.1:1', REDIS_PASSWORD: 'of-another', NODE_ENV: 'production' },
};
const TIMEOUT_MS = 600_000;

let folder: string;
const started: Serving[] = [];

beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'pushfleet-redis-dir-'))));
afterAll(async () => {
  // What a failed test leaves behind takes its Redis with it.
  await Promise.all(started.map((serving) => serving.end('SIGTERM')));
  rmSync(folder, { recursive: true });
});

async function start(dir: string): Promise<Serving> {
  const serving = await serve(['--redis-dir', dir], ENV);
  started.push(serving);
  return serving;
}

/** On a machine that is busy enough, whoever answers gives up on Redis: asked again, nothing is lost. */
const patiently = <T>(work: () => Promise<T>) => until(work, { timeoutMs: 120_000, everyMs: 200 });

async function ask<T>(
  url: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: object; body?: object },
) {
  const answer = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

const createApp = ({ told: { urls } }: Serving): Promise<DemoApp> =>
  patiently(() =>
    ask<DemoApp>(`${urls['console'] ?? ''}/api/v1/apps`, {
      ...{ method: 'POST', headers: { authorization: `Bearer ${ENV.ADMIN_TOKEN}` } },
      body: { name: 'demo', edition: 'commercial' },
    }),
  );

const keysOf = ({ id, masterKey }: DemoApp) => ({ 'x-lc-id': id, 'x-lc-key': `${masterKey},master` });

const push = ({ told: { urls } }: Serving, app: DemoApp): Promise<string> =>
  patiently(async () => {
    const request = { method: 'POST', headers: keysOf(app), body: { data: { alert: 'kept' } } };
    return (await ask<{ objectId: string }>(`${urls['ingress'] ?? ''}/1.1/push`, request)).objectId;
  });

const isDone = async ({ told: { urls } }: Serving, app: DemoApp, pushId: string): Promise<boolean> => {
  const request = { headers: keysOf(app) };
  const { status } = await ask<{ status: string }>(`${urls['ingress'] ?? ''}/1.1/notifications/${pushId}`, request);
  return status === 'done';
};

const pidOfRedis = (dir: string): number => Number(readFileSync(join(dir, 'redis.pid'), 'utf8'));

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test(
  'a Redis of its own keeps what was answered when the process, and Redis with it, is killed, and leaves with the process',
  async () => {
    const dir = join(folder, 'killed/redis');
    let serving = await start(dir);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    const app = await createApp(serving);
    const pushIds = [await push(serving, app)];
    for (const killsRedis of [false, true]) {
      const former = pidOfRedis(dir);
      pushIds.push(await push(serving, app));
      await serving.end('SIGKILL');
      expect(isRunning(former)).toBe(true);
      if (killsRedis) process.kill(former, 'SIGKILL');
      serving = await start(dir);
      await until(() => !isRunning(former));
      pushIds.push(await push(serving, app));
      for (const pushId of pushIds) await patiently(() => isDone(serving, app, pushId));
    }

    const taken = runServe(['--redis-dir', dir], { env: ENV });
    expect(taken).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`--redis-dir: ${dir} is that of process ${serving.told.pid}, which runs; `),
    });
    const redis = pidOfRedis(dir);
    expect(await serving.end('SIGTERM')).toBe(0);
    expect([isRunning(redis), existsSync(join(dir, 'holder'))]).toEqual([false, false]);
  },
  TIMEOUT_MS,
);

test(
  'a Redis that ends by itself is started again, and the fleet goes on',
  async () => {
    const dir = join(folder, 'ended');
    const serving = await start(dir);
    const app = await createApp(serving);
    process.kill(pidOfRedis(dir), 'SIGKILL');
    const pushId = await push(serving, app);
    await patiently(() => isDone(serving, app, pushId));
    expect(await serving.end('SIGTERM')).toBe(0);
  },
  TIMEOUT_MS,
);

const IMPOSSIBLE = [
  [
    'a file in its place',
    { name: 'file', line: /^--redis-dir: .*\/file cannot be written \(EEXIST\); name another folder$/ },
  ],
  [
    'a folder that cannot be made',
    { name: 'file/redis', line: /^--redis-dir: .* cannot be written \(ENOTDIR\); name another folder$/ },
  ],
  [
    'a folder in a file system that makes none',
    {
      name: '/proc/pushfleet/redis',
      line: /^--redis-dir: .* cannot be written \((ENOENT|EROFS)\); name another folder$/,
    },
  ],
  [
    'no Redis to start',
    {
      name: 'redis',
      path: '/nowhere',
      line: /^--redis-dir: there is no redis-server or valkey-server on the PATH; install Redis 7 /,
    },
  ],
] as const;

test.each<readonly [string, { readonly name: string; readonly path?: string; readonly line: RegExp }]>(IMPOSSIBLE)(
  '%s is told in one line',
  (_, { name, path = PATH, line }) => {
    writeFileSync(join(folder, 'file'), '');
    const env = { ...ENV, PATH: path, LOG_TO: 'stdout' };
    const { status, stderr } = runServe(['--redis-dir', resolve(folder, name)], { env });
    expect({ status, lines: stderr.trim().split('\n') }).toEqual({ status: 1, lines: [expect.stringMatching(line)] });
  },
  TIMEOUT_MS,
);
