import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openRedis, type ImportedInstallation, type RedisClient } from '@pushfleet/store';
import { endWithProcess, until } from '@pushfleet/testing';
import { anInstallation, raise, type BenchApp, type BenchFleet } from './bench-fleet';
import { timed, type Benchmark, type BenchOptions, type Figures } from './benchmark';

/** Installations of one call, and calls under way. The baseline is slower with more of them. */
const ROWS = 20_000;
const BASELINE_ROWS = 2000;
const LANES = 3;
const BASELINE_HASHES = 256;

interface Row extends ImportedInstallation {
  /** As a line of an export. */
  readonly text: string;
}

export function aRow(): Row {
  const { objectId, doc: saved } = anInstallation();
  const doc = { ...saved, valid: true };
  return { objectId, doc, text: JSON.stringify({ objectId, ...doc }) };
}

interface Site {
  readonly fleet: BenchFleet;
  readonly redis: RedisClient;
  readonly rows: readonly Row[];
  readonly signal: AbortSignal;
}

/** Each installation under its objectId in one of some hashes, and nothing else. */
export async function plainRate({ redis, rows }: Pick<Site, 'redis' | 'rows'>): Promise<number> {
  const seconds = await timed(Math.ceil(rows.length / BASELINE_ROWS), LANES, (i) =>
    Promise.all(
      rows
        .slice(i * BASELINE_ROWS, (i + 1) * BASELINE_ROWS)
        .map(({ objectId, text }, n) => redis.hset(`baseline:${n % BASELINE_HASHES}`, objectId, text)),
    ),
  );
  await redis.unlink(...Array.from({ length: BASELINE_HASHES }, (_, n) => `baseline:${n}`));
  // Redis answers first and gives the memory back later: the import would be measured from too much.
  await until(async () => (await redis.info('memory')).includes('\nlazyfree_pending_objects:0\r'));
  return rows.length / seconds;
}

async function importRate({ fleet, rows }: Site, app: BenchApp): Promise<number> {
  const seconds = await timed(Math.ceil(rows.length / ROWS), LANES, (i) =>
    fleet.store.installations.import(app.id, rows.slice(i * ROWS, (i + 1) * ROWS)),
  );
  return rows.length / seconds;
}

/** The whole road: the command line reads a file and the console stores it. */
async function commandRate(site: Site, app: BenchApp): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'pushfleet-bench-'));
  try {
    const file = join(folder, 'installations.jsonl');
    await writeFile(file, site.rows.map(({ text }) => `${text}\n`).join(''));
    const startedAt = performance.now();
    await importFile(site, app, file);
    return (site.rows.length * 1000) / (performance.now() - startedAt);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The command would wait minutes for a console that is gone. */
async function importFile({ fleet, signal }: Site, app: BenchApp, file: string): Promise<void> {
  const cli = join(__dirname, '../../cli/dist/main.js');
  const env = { PUSHFLEET_URL: fleet.processes.url('console'), ADMIN_TOKEN: fleet.processes.env['ADMIN_TOKEN'] ?? '' };
  const given = ['import', 'installations', file, '--app', app.id];
  const child = spawn(process.execPath, [cli, ...given], { env, cwd: dirname(file), signal });
  endWithProcess(child);
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the import left with ${code}`);
}

export async function usedMemory(redis: RedisClient): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
}

async function measure(site: Site, progress: BenchOptions['progress']): Promise<Omit<Figures, 'config'>> {
  const { fleet, redis, rows } = site;
  const apps = [await fleet.createApp(), await fleet.createApp(), await fleet.createApp()] as const;
  progress('baseline and import, twice in turn');
  const before = await plainRate(site);
  const memory = await usedMemory(redis);
  const first = await importRate(site, apps[0]);
  const bytes = (await usedMemory(redis)) - memory;
  const after = await plainRate(site);
  const second = await importRate(site, apps[1]);
  progress('by the command line, through the console, and the same again');
  const byCommand = await commandRate(site, apps[2]);
  const again = await commandRate(site, apps[2]);
  const json = rows.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const value = (first + second) / 2;
  const baseline = (before + after) / 2;
  const details = { redisBytesPerByteOfJson: bytes / json, jsonBytesEach: json / rows.length, byCommand, again };
  return { ratio: value / baseline, value, baseline, details };
}

async function run(fleet: BenchFleet, { size = 200_000, signal, progress }: BenchOptions): Promise<Figures> {
  const redis = await openRedis({ url: fleet.processes.redis.url, patience: 'wait', onError: raise });
  try {
    progress(`making ${size} installations`);
    const site = { fleet, redis, signal, rows: Array.from({ length: size }, aRow) };
    const warmUp = { ...site, rows: Array.from({ length: 10_000 }, aRow) };
    await plainRate(warmUp);
    await importRate(warmUp, await fleet.createApp());
    const config = { installations: size, rowsAtOnce: ROWS, lanes: LANES, subscriptionsEach: 1 };
    return { ...(await measure(site, progress)), config };
  } finally {
    redis.disconnect();
  }
}

export const importing: Benchmark = {
  name: 'import',
  measures: 'installations/s stored with all indexes, against plain pipelined HSET of the same JSON; bytes of Redis',
  mustReach: 0.25,
  goal: 0.5,
  unit: 'installations/s',
  workers: [],
  run,
};
