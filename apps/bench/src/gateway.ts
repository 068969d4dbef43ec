import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { binaryCodec } from '@pushfleet/own-protocol';
import { WebSocket } from 'ws';
import { openBenchFleet, REDIS_CONFIG, residentKb, type BenchApp, type BenchFleet } from './bench-fleet';
import type { Benchmark, BenchOptions, Result } from './benchmark';
import { startSocketEcho } from './echo-process';
import { SocketCrowd } from './socket-crowd';

const MESSAGE = { alert: 'A message of about a hundred bytes, as a broadcast to everybody may have it.' };
/** Time for a process to give back what it needed for opening connections only. */
const SETTLE_MS = 2000;

interface Held {
  readonly bytesEach: number;
  readonly broadcastSeconds: number;
}

async function run({ size = 5000, progress }: BenchOptions): Promise<Result> {
  progress(`baseline: ${size} connections of a bare ws echo server`);
  const bare = await holdBare(size);
  const fleet = await openBenchFleet(['own'], {
    ...{ GATEWAY_PORT: '0', DRAIN_MS: '0', CONNECTIONS_PER_ADDRESS: '0', LOGINS_PER_ADDRESS: '0' },
  });
  try {
    progress(`${size} logged-in devices`);
    const ours = await holdDevices(fleet, size);
    return {
      name: 'gateway',
      ratio: bare.bytesEach / ours.bytesEach,
      value: ours.bytesEach,
      unit: 'bytes per idle connection',
      baseline: bare.bytesEach,
      config: { connections: size, processes: 'gateway 1, worker 1, ingress 1, dispatcher 1', redis: REDIS_CONFIG },
      details: {
        broadcastSeconds: ours.broadcastSeconds,
        broadcastDevicesPerSecond: size / ours.broadcastSeconds,
        bareBroadcastSeconds: bare.broadcastSeconds,
      },
    };
  } finally {
    await fleet.stop();
  }
}

async function bytesEach(pid: number, size: number, open: () => Promise<SocketCrowd>) {
  const before = residentKb(pid);
  const crowd = await open();
  await delay(SETTLE_MS);
  return { crowd, bytesEach: ((residentKb(pid) - before) * 1024) / size };
}

async function holdBare(size: number): Promise<Held> {
  const echo = await startSocketEcho();
  const greeting = (): Uint8Array => Buffer.from('hello');
  // Code and buffers that the first connections need are not counted as theirs.
  await (await SocketCrowd.open({ url: echo.url, size: 200, greeting })).close();
  const held = await bytesEach(echo.pid, size, () => SocketCrowd.open({ url: echo.url, size, greeting }));
  const speaker = new WebSocket(`${echo.url}/broadcast`, { perMessageDeflate: false });
  await once(speaker, 'open');
  const broadcastSeconds = await held.crowd.oneFrameEach(async () => speaker.send(JSON.stringify(MESSAGE)));
  await held.crowd.close();
  speaker.terminate();
  echo.stop();
  return { bytesEach: held.bytesEach, broadcastSeconds };
}

async function holdDevices(fleet: BenchFleet, size: number): Promise<Held> {
  const app = await fleet.createApp();
  const gateway = await fleet.processes.run('gateway');
  const names = Array.from({ length: size }, (_, n) => `device-${n.toString().padStart(25, '0')}`);
  await registerOwn(fleet, app, names);
  const url = fleet.processes.url('gateway');
  const devices = (prefix: string, count: number): Promise<SocketCrowd> =>
    SocketCrowd.open({
      ...{ url, subprotocol: 'lc.protobuf2.3', size: count },
      greeting: (n) => bytesOf({ cmd: 'login', appId: app.id, installationId: `${prefix}${names[n] ?? ''}` }),
      onFrame(socket, frame) {
        const { messages = [] } = binaryCodec.decode(frame);
        socket.send(bytesOf({ cmd: 'ack', ids: messages.map(({ id }) => id) }));
      },
    });
  await (await devices('warm-up-', 200)).close();
  const held = await bytesEach(gateway.pid, size, () => devices('', size));
  const broadcastSeconds = await held.crowd.oneFrameEach(() => fleet.push(app, { data: MESSAGE }));
  await held.crowd.close();
  return { bytesEach: held.bytesEach, broadcastSeconds };
}

const bytesOf = (command: Parameters<typeof binaryCodec.encode>[0]): Uint8Array =>
  binaryCodec.encode(command) as Uint8Array;

async function registerOwn({ store }: BenchFleet, app: BenchApp, names: readonly string[]): Promise<void> {
  const now = new Date().toISOString();
  const rows = names.map((installationId, n) => ({
    objectId: `own${n.toString().padStart(21, '0')}`,
    doc: { installationId, deviceType: 'android', createdAt: now, updatedAt: now },
  }));
  for (let n = 0; n < rows.length; n += 5000) await store.installations.import(app.id, rows.slice(n, n + 5000));
}

export const gateway: Benchmark = {
  name: 'gateway',
  measures: 'bytes per idle connection of one gateway, against a bare ws echo server; and a broadcast to all of them',
  mustReach: 0.67,
  goal: 0.83,
  run,
};
