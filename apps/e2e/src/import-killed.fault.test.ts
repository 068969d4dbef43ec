import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { channelOfVendor } from '@pushfleet/channels';
import { simulatorProfiles } from '@pushfleet/channels/simulators';
import { bucketOf, channelsOf, type JsonObject } from '@pushfleet/domain';
import { openRedis, openStore, type RedisClient, type Store } from '@pushfleet/store';
import { until } from '@pushfleet/testing';
import { Fleet, type DemoApp } from './fleet';
import { faultRandom } from './fault-random';

const INSTALLATIONS = 100_000;
const CLI = join(__dirname, '../../cli/dist/main.js');
const STARTED_AT = Date.now() - 3_600_000;

const random = faultRandom();
let fleet: Fleet;
let app: DemoApp;
let redis: RedisClient;
let store: Store;
let folder: string;

const fail = (error: Error): never => {
  throw error;
};

beforeAll(async () => {
  ({ fleet, app } = await Fleet.withApp([]));
  // A profile that exists has a bucket of its own.
  await fleet.admin('PUT', `/apps/${app.id}/profiles/mi/game`, simulatorProfiles.mi);
  redis = await openRedis({ url: fleet.redis.url, patience: 'wait', onError: fail });
  const secretKey = fleet.env['SECRET_KEY'] ?? '';
  store = openStore({ redis, namespace: 'pushfleet', secretKey, vendors: channelOfVendor });
  folder = await mkdtemp(join(tmpdir(), 'pushfleet-import-'));
});

afterAll(async () => {
  await redis?.quit();
  await fleet.stop();
  await rm(folder, { recursive: true });
});

const pick = <T>(items: readonly T[]): T => items[random.between(0, items.length)] as T;

function anInstallation(n: number): JsonObject {
  const updatedAt = new Date(STARTED_AT + n).toISOString();
  return {
    objectId: `${n.toString(36).padStart(8, '0')}${'x'.repeat(24)}`,
    installationId: `installation-${n}`,
    deviceType: 'android',
    registrationId: `registration-${n}`,
    channels: pick([['news'], ['news', 'sport'], []]),
    city: pick(['北京', 'Berlin', 'Lagos']),
    valid: true,
    createdAt: updatedAt,
    updatedAt,
    ...pick<JsonObject>([
      { vendor: 'HMS' },
      { vendor: 'mi', deviceProfile: 'game' },
      { vendor: 'fcm' },
      { vendor: 'lc' },
      { vendor: 'oppo', valid: false },
    ]),
  };
}

/** What a database may hold: devices that were set up anew, under another objectId or installationId. */
function withRivals(rows: JsonObject[]): { readonly rows: readonly JsonObject[]; readonly expected: JsonObject[] } {
  const expected = [...rows];
  for (let n = 1000; n < rows.length; n += 1000) {
    const older = rows[n - 1] ?? {};
    const kind = n % 2000 === 0 ? 'registrationId' : 'installationId';
    expected[n] = rows[n] = { ...rows[n], [kind]: older[kind] ?? null };
    const { registrationId: _, ...left } = older;
    const updatedAt = new Date(Date.parse(String(older['updatedAt'])) + 1).toISOString();
    expected[n - 1] = kind === 'registrationId' ? { ...left, updatedAt } : {};
  }
  return { rows, expected: expected.filter((row) => 'objectId' in row) };
}

async function writeExport(name: string, rows: readonly JsonObject[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, gzipSync(rows.map((row) => `${JSON.stringify(row)}\n`).join(''), { level: 1 }));
  return path;
}

function importing(file: string): ChildProcess {
  const env = { PUSHFLEET_URL: fleet.url('console'), ADMIN_TOKEN: fleet.env['ADMIN_TOKEN'] ?? '' };
  const args = [CLI, 'import', 'installations', file, '--app', app.id, '--json'];
  return spawn(process.execPath, args, { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function answerOf(child: ChildProcess): Promise<Record<string, unknown>> {
  const output = { out: '', err: '' };
  child.stdout?.on('data', (chunk) => (output.out += String(chunk)));
  child.stderr?.on('data', (chunk) => (output.err += String(chunk)));
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the import left with ${code}: ${output.err}`);
  return JSON.parse(output.out) as Record<string, unknown>;
}

const reached = (count: number): Promise<unknown> =>
  until(async () => (await store.installations.count(app.id)) >= count, { timeoutMs: 300_000, everyMs: 10 });

/** Installations by bucket, and subscriptions by bucket and channel. */
function tally(rows: readonly JsonObject[]): Readonly<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const row of rows) {
    const bucket = bucketOf(row, channelOfVendor, false);
    if (bucket === undefined) continue;
    for (const name of [bucket, ...channelsOf(row).map((channel) => `${bucket} ${channel}`)])
      sizes[name] = (sizes[name] ?? 0) + 1;
  }
  return sizes;
}

async function tallyInRedis(): Promise<Readonly<Record<string, number>>> {
  const sizes: Record<string, number> = {};
  for (const bucket of await store.installations.bucketNames(app.id)) {
    for (const channel of [undefined, 'news', 'sport']) {
      const subscriptions = channel === undefined ? undefined : [channel];
      const shards = await store.installations.sizes(app.id, bucket, subscriptions);
      const size = shards.reduce((a, b) => a + b, 0);
      if (size > 0) sizes[channel === undefined ? bucket : `${bucket} ${channel}`] = size;
    }
  }
  return sizes;
}

async function expectSample(rows: readonly JsonObject[]): Promise<void> {
  for (let i = 0; i < 300; i += 1) {
    const row = pick(rows);
    expect(await store.installations.get(app.id, String(row['objectId']))).toEqual(row);
    if (row['valid'] === false) continue;
    for (const field of ['installationId', 'registrationId'] as const) {
      if (row[field] === undefined) continue;
      const found = await store.installations.addressed(app.id, { field, values: [String(row[field])] });
      expect(found.map(({ installation }) => installation)).toEqual([row]);
    }
  }
}

test(`an import killed twice, and its console once, ends as if nothing had happened (seed ${random.seed})`, async () => {
  const { rows, expected } = withRivals(Array.from({ length: INSTALLATIONS }, (_, n) => anInstallation(n)));
  const [first] = rows;
  const withoutFirst = await writeExport('without-first.jsonl.gz', rows.slice(1));
  const file = await writeExport('whole.jsonl.gz', rows);

  for (const count of [random.between(2500, 25_000), random.between(30_000, 50_000)]) {
    const child = importing(withoutFirst);
    await reached(count);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await store.installations.count(app.id)).toBeLessThan(INSTALLATIONS / 2 + 30_000);
  }
  const answer = answerOf(importing(file));
  // The console may still be storing what the killed one had sent. Only this import brings the first row.
  await until(() => store.installations.get(app.id, String(first?.['objectId'])));
  const stored = await store.installations.count(app.id);
  await reached(stored + random.between(1, (INSTALLATIONS - stored) / 2));
  const { port } = new URL(fleet.url('console'));
  await fleet.service('console').stop('SIGKILL');
  await fleet.run('console', { CONSOLE_PORT: port });
  expect(await answer).toMatchObject({ rows: INSTALLATIONS, bad: 0 });

  expect(await store.installations.count(app.id)).toBe(expected.length);
  expect(await tallyInRedis()).toEqual(tally(expected));
  await expectSample(expected);
  await expectSample(expected.filter((_, n) => n % 1000 >= 996 || n % 1000 <= 3));
  const again = await answerOf(importing(file));
  expect(again).toMatchObject({ created: 0, updated: 0, unchanged: expected.length });
  expect(await tallyInRedis()).toEqual(tally(expected));
}, 600_000);
