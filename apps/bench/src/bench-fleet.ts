import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { channelOfVendor, channels } from '@pushfleet/channels';
import { simulatorProfiles } from '@pushfleet/channels/simulators';
import { openRedis, openStore, type ImportedInstallation, type RedisClient, type Store } from '@pushfleet/store';
import { FleetProcesses, freePort, startRedisServer, until, type FleetShape } from '@pushfleet/testing';
import { Agent, request } from 'undici';

export interface BenchApp {
  readonly id: string;
  readonly key: string;
  readonly masterKey: string;
}

/** A running fleet, what a benchmark asks of it, and a store connection for filling it. */
export interface BenchFleet {
  readonly processes: FleetProcesses;
  readonly store: Store;
  readonly redis: RedisClient;
  /** Keep-alive connections, shared by everything the benchmark sends. */
  readonly http: Agent;
  /** A commercial app without limits and budgets; `hmsAppId` tells two apps apart at the vendor. */
  createApp(options?: { hmsAppId: string }): Promise<BenchApp>;
  /** Stores `count` HMS installations with 130-byte addresses, each subscribed to `news`; resolves with their objectIds. */
  register(app: BenchApp, count: number): Promise<readonly string[]>;
  push(app: BenchApp, body: unknown): Promise<string>;
  done(app: BenchApp, pushId: string): Promise<DoneRecord>;
  admin<T>(method: Method, path: string, body: unknown): Promise<T>;
  /** A port that nobody listens on now: for a process that must know its address before it starts. */
  freePort(): Promise<number>;
  traffic(channel: string): Promise<Traffic>;
  resetTraffic(): Promise<void>;
  /** Lets the simulated HMS misbehave. */
  fault(order: Readonly<Record<string, string | number>>): Promise<void>;
  /** Forgets the traffic, and lets HMS answer each call after so long. */
  answerAfter(delayMs: number): Promise<void>;
  stop(): Promise<void>;
}

export interface DoneRecord {
  readonly status: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly devices: number;
  readonly successes: number;
}

export interface Traffic {
  readonly calls: number;
  readonly devices: number;
  readonly distinctDevices: number;
  readonly duplicates: number;
}

/** With the published rates of vendors, a benchmark would measure these. */
const NO_BUDGET = { requestsPerSecond: 0, devicesPerSecond: 0, callsInFlight: 0 };

/** The variables of the vendors' origins, all of which are the simulator here. */
export const VENDOR_ORIGINS = Object.values(channels).flatMap((channel) => Object.keys(channel.endpoints));

export const REDIS_CONFIG = 'redis-server, appendonly yes, appendfsync everysec';

export async function openBenchFleet(
  workers: readonly string[],
  env: Readonly<Record<string, string>> = {},
  shape: FleetShape = 'separate',
): Promise<BenchFleet> {
  const processes = new FleetProcesses(await startRedisServer(), env, shape);
  await processes.open({ workers, endpoints: VENDOR_ORIGINS });
  const redis = await openRedis({ url: processes.redis.url, patience: 'wait', onError: raise });
  const secretKey = processes.env['SECRET_KEY'] ?? '';
  const store = openStore({ redis, namespace: 'pushfleet', secretKey, vendors: channelOfVendor });
  // The simulator closes a connection that is idle for five seconds, and a busy machine sees that late.
  const http = new Agent({ connections: 128, pipelining: 1, keepAliveTimeout: 1000, keepAliveMaxTimeout: 1000 });

  const call = caller(http);
  const admin = <T>(method: Method, path: string, body: unknown): Promise<T> => {
    const headers = { authorization: `Bearer ${processes.env['ADMIN_TOKEN'] ?? ''}` };
    return call(method, `${processes.url('console')}/api/v1${path}`, { body, headers });
  };
  const api = <T>(app: BenchApp, [method, path]: readonly [Method, string], body?: unknown): Promise<T> => {
    // Records are read as a server reads them; pushes cost what they cost an app build.
    const headers = { 'x-lc-id': app.id, 'x-lc-key': method === 'GET' ? `${app.masterKey},master` : app.key };
    return call(method, `${processes.url('ingress')}/1.1${path}`, { body, headers });
  };
  const simulator = `${processes.url('simulator')}/_simulator`;
  const fault = async (order: object): Promise<void> =>
    void (await call('PUT', `${simulator}/faults`, { body: { channel: 'hms', ...order } }));

  return {
    processes,
    store,
    redis,
    http,
    admin,
    freePort,
    fault,
    createApp: (options) => createApp(admin, options),
    register: (app, count) => register(store, app, count),
    push: async (app, body) => (await api<{ objectId: string }>(app, ['POST', '/push'], body)).objectId,
    async done(app, pushId) {
      const read = (): Promise<DoneRecord> => api(app, ['GET', `/notifications/${pushId}`]);
      await until(async () => (await read()).status === 'done', { timeoutMs: 300_000, everyMs: 100 });
      return read();
    },
    async traffic(channel) {
      const stats = await call<Record<string, Traffic>>('GET', `${simulator}/stats`);
      return stats[channel] ?? { calls: 0, devices: 0, distinctDevices: 0, duplicates: 0 };
    },
    resetTraffic: async () => void (await call('DELETE', simulator)),
    async answerAfter(delayMs) {
      await call('DELETE', simulator);
      if (delayMs > 0) await fault({ kind: 'slow', path: 'messages:send', delayMs });
    },
    /** Waits for no answer: what an interrupted benchmark has asked may never get one. */
    async stop() {
      redis.disconnect();
      await Promise.all([http.destroy(), processes.stop()]);
    },
  };
}

async function createApp(
  admin: BenchFleet['admin'],
  options: Parameters<BenchFleet['createApp']>[0],
): Promise<BenchApp> {
  const app = await admin<BenchApp>('POST', '/apps', { name: 'bench', edition: 'commercial' });
  const putProfile = ([channel, profile]: readonly [string, object]): Promise<unknown> => {
    const own = channel === 'hms' && options ? { ...profile, appId: options.hmsAppId } : profile;
    return admin('PUT', `/apps/${app.id}/profiles/${channel}/_default`, { ...own, budget: NO_BUDGET });
  };
  await Promise.all([
    admin('PATCH', `/apps/${app.id}`, { hybrid: true, limits: { callsPerMinute: 0 } }),
    ...Object.entries(simulatorProfiles).map(putProfile),
  ]);
  return app;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Caller = <T>(
  method: Method,
  url: string,
  options?: { readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown },
) => Promise<T>;

function caller(http: Agent): Caller {
  return async <T>(method: Method, url: string, options: Parameters<Caller>[2] = {}): Promise<T> => {
    const answer = await request(url, {
      method,
      dispatcher: http,
      headers: { 'content-type': 'application/json', ...options.headers },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${text}`);
    return JSON.parse(text) as T;
  };
}

async function register(store: Store, app: BenchApp, count: number): Promise<readonly string[]> {
  const objectIds: string[] = [];
  while (objectIds.length < count) {
    const rows = Array.from({ length: Math.min(5000, count - objectIds.length) }, anInstallation);
    await store.installations.import(app.id, rows);
    for (const { objectId } of rows) objectIds.push(objectId);
  }
  return objectIds;
}

export function raise(error: Error): never {
  throw error;
}

/** About what an Android SDK saves, 430 bytes of JSON. */
export function anInstallation(): ImportedInstallation {
  const now = new Date().toISOString();
  const id = randomBytes(16).toString('hex');
  return {
    objectId: randomBytes(16).toString('hex'),
    doc: {
      installationId: id,
      deviceType: 'android',
      vendor: 'HMS',
      registrationId: aRegistrationId(),
      timeZone: 'Asia/Shanghai',
      channels: ['news'],
      appVersion: '8.2.19',
      createdAt: now,
      updatedAt: now,
    },
  };
}

/** 130 characters, as an HMS token has, and its beginning, so that none is `bad-…` or `gone-…` by chance. */
export const aRegistrationId = (): string => `IQ${randomBytes(96).toString('base64url')}`;

/** Resident memory of a process, in KB. */
export const residentKb = (pid: number): number => statusKb(pid, 'VmRSS');

/** The most that it ever was, in MB. */
export const peakMb = (pid: number): number => Math.round(statusKb(pid, 'VmHWM') / 1024);

function statusKb(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
}

/** The same in MB. */
export const residentMb = (pid: number): number => Math.round(residentKb(pid) / 1024);

/** CPU time that a process has used so far, in seconds. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
