import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endWithProcess } from '@pushfleet/testing';
import { request } from 'undici';
import type { BenchApp, BenchFleet } from './bench-fleet';

const POLL_MS = 100;
/** Every device is read for it. */
const AUDIENCE = { createdAt: { $gt: { __type: 'Date', iso: '2000-01-01T00:00:00.000Z' } } };

const asServer = ({ id, masterKey }: BenchApp) => ({ 'x-lc-id': id, 'x-lc-key': `${masterKey},master` });

interface LastLine {
  readonly complete: boolean;
  readonly devices: number;
}

/** Reads the stream as fast as it comes; resolves with the devices of a whole one. */
export async function readStream({ processes, http }: BenchFleet, app: BenchApp, pushId: string): Promise<number> {
  const url = `${processes.url('ingress')}/1.1/notifications/${pushId}/devices`;
  const headers = { ...asServer(app), accept: 'application/x-ndjson' };
  const { body } = await request(url, { headers, dispatcher: http });
  let end = '';
  for await (const piece of body) end = (end + String(piece)).slice(-1000);
  const { complete, devices } = JSON.parse(end.trimEnd().split('\n').at(-1) ?? '') as LastLine;
  if (!complete) throw new Error(`the stream broke off: ${end}`);
  return devices;
}

/** A process that is under way, and the devices that it told of when it is over. */
export interface Reader {
  readonly pid: () => number | undefined;
  readonly devices: Promise<number>;
}

/** The same by pages, with the command line. */
export function readByCommand({ processes }: BenchFleet, app: BenchApp, pushId: string): Reader {
  const cli = join(__dirname, '../../cli/dist/main.js');
  const env = {
    PUSHFLEET_INGRESS_URL: processes.url('ingress'),
    PUSHFLEET_APP_ID: app.id,
    PUSHFLEET_MASTER_KEY: app.masterKey,
  };
  const child = spawn(process.execPath, [cli, 'pushes', 'devices', pushId], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithProcess(child);
  const read = async (): Promise<number> => {
    const ended = once(child, 'exit');
    let lines = 0;
    for await (const piece of child.stdout) for (const byte of piece as Buffer) if (byte === LINE_FEED) lines += 1;
    const [code] = (await ended) as [number | null];
    if (code !== 0) throw new Error(`the export left with ${code}`);
    return lines;
  };
  return { pid: () => (child.exitCode === null ? child.pid : undefined), devices: read() };
}

const LINE_FEED = 10;

/** Plans a push to everybody by looking at everybody; resolves with the number of devices. */
export async function preflight({ processes, http }: BenchFleet, app: BenchApp): Promise<number> {
  const ask = async (method: 'GET' | 'POST', path: string, body?: string) => {
    const headers = { ...asServer(app), 'content-type': 'application/json' };
    const answer = await request(`${processes.url('ingress')}${path}`, {
      method,
      headers,
      dispatcher: http,
      ...(body === undefined ? {} : { body }),
    });
    return (await answer.body.json()) as { readonly path?: string; readonly devices?: number };
  };
  const push = JSON.stringify({ where: AUDIENCE, data: { alert: 'Hello' } });
  let told = await ask('POST', '/1.1/push/preflight?exact=1', push);
  while (told.path !== undefined) {
    await delay(POLL_MS);
    told = await ask('GET', told.path);
  }
  return told.devices ?? NaN;
}
