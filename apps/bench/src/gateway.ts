import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { DeviceCrowd } from '@pushfleet/testing';
import { WebSocket } from 'ws';
import { residentKb, type BenchApp, type BenchFleet } from './bench-fleet';
import type { Benchmark, BenchOptions, Figures } from './benchmark';
import { startSocketEcho } from './echo-process';
import { openFileLimit } from './open-file-limit';
import { SocketCrowd } from './socket-crowd';

const MESSAGE = { alert: 'A message of about a hundred bytes, as a broadcast to everybody may have it.' };
const CONNECTIONS = 20_000;
/** Files that a gateway needs beside its connections. */
const OTHER_FILES = 100;
const WARM_UP = 200;
/** Time for a process to give back the memory that only the opening of connections takes. */
const SETTLE_MS = 3000;
/** Most time for all devices to connect, and for a push to be acknowledged by all, on a slow machine. */
const PATIENCE_MS = 900_000;
const PREFIX = 'device';

const SETTINGS = { GATEWAY_PORT: '0', DRAIN_MS: '0', CONNECTIONS_PER_ADDRESS: '0', LOGINS_PER_ADDRESS: '0' };

interface Held {
  readonly bytesEach: number;
  readonly broadcastSeconds: number;
}

async function run(fleet: BenchFleet, { size: wanted = CONNECTIONS, progress }: BenchOptions): Promise<Figures> {
  const limit = openFileLimit();
  const size = Math.min(wanted, limit - OTHER_FILES);
  if (size < 1) throw new Error(`a process may open ${limit} files here: too few`);
  if (size < wanted) progress(`a process may open ${limit} files here: ${size} connections instead of ${wanted}`);
  progress(`baseline: ${size} connections of a bare ws echo server`);
  const bare = await holdBare(size);
  progress(`${size} logged-in devices`);
  const ours = await holdDevices(fleet, size);
  return {
    ratio: bare.bytesEach / ours.bytesEach,
    value: ours.bytesEach,
    baseline: bare.bytesEach,
    config: { connections: size, processes: 'gateway 1, worker 1, ingress 1, dispatcher 1' },
    details: {
      acknowledged: ours.acknowledged,
      broadcastSeconds: ours.broadcastSeconds,
      broadcastDevicesPerSecond: size / ours.broadcastSeconds,
      bareBroadcastSeconds: bare.broadcastSeconds,
    },
  };
}

async function grownBytes(pid: number, open: () => Promise<unknown>): Promise<number> {
  const before = residentKb(pid);
  await open();
  await delay(SETTLE_MS);
  return (residentKb(pid) - before) * 1024;
}

async function holdBare(size: number): Promise<Held> {
  const echo = await startSocketEcho();
  // Code and buffers that the first connections need are not counted as theirs.
  await (await SocketCrowd.open(echo.url, WARM_UP)).close();
  let crowd: SocketCrowd | undefined;
  const bytes = await grownBytes(echo.pid, async () => (crowd = await SocketCrowd.open(echo.url, size)));
  const speaker = new WebSocket(`${echo.url}/broadcast`, { perMessageDeflate: false });
  await once(speaker, 'open');
  const broadcastSeconds = await crowd?.oneFrameEach(() => speaker.send(JSON.stringify(MESSAGE)));
  await crowd?.close();
  speaker.terminate();
  echo.stop();
  return { bytesEach: bytes / size, broadcastSeconds: broadcastSeconds ?? NaN };
}

async function holdDevices(fleet: BenchFleet, size: number): Promise<Held & { readonly acknowledged: number }> {
  const app = await fleet.createApp();
  const { pid } = await fleet.processes.run('gateway');
  await registerOwn(fleet, app, size);
  const ingressUrl = fleet.processes.url('ingress');
  const open = async (prefix: string, count: number): Promise<DeviceCrowd> => {
    const crowd = DeviceCrowd.start({ ingressUrl, app, count, args: ['--no-register', '--prefix', prefix] });
    await crowd.until(({ connected }) => connected === count, PATIENCE_MS);
    return crowd;
  };
  await (await open('warm-up', WARM_UP)).stop();
  let crowd: DeviceCrowd | undefined;
  const bytes = await grownBytes(pid, async () => (crowd = await open(PREFIX, size)));
  const startedAt = performance.now();
  const pushId = await fleet.push(app, { data: MESSAGE });
  await crowd?.until(({ acked }) => acked === size, PATIENCE_MS);
  const broadcastSeconds = (performance.now() - startedAt) / 1000;
  const summary = await crowd?.stop();
  return { bytesEach: bytes / size, broadcastSeconds, acknowledged: summary?.messages[pushId]?.acked ?? 0 };
}

async function registerOwn({ store }: BenchFleet, app: BenchApp, count: number): Promise<void> {
  const now = new Date().toISOString();
  const rows = Array.from({ length: count }, (_, n) => ({
    objectId: `own${n.toString().padStart(21, '0')}`,
    doc: { installationId: installationIdOf(n), deviceType: 'android', createdAt: now, updatedAt: now },
  }));
  for (let n = 0; n < rows.length; n += 5000) await store.installations.import(app.id, rows.slice(n, n + 5000));
}

/** As `pushfleet devices` makes them. */
const installationIdOf = (n: number): string => createHash('md5').update(`${PREFIX}-${n}`).digest('hex');

export const gateway: Benchmark = {
  name: 'gateway',
  measures:
    'bytes per idle connection of one gateway, against a bare ws echo server; and a push to all, acknowledged by all',
  mustReach: 0.67,
  goal: 0.83,
  unit: 'bytes per idle connection',
  workers: ['own'],
  settings: SETTINGS,
  run,
};
