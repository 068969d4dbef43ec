import { randomBytes } from 'node:crypto';
import { channelNames, channels } from '@pushfleet/channels';
import { simulatorProfiles } from '@pushfleet/channels/simulators';
import { OWN_CHANNEL } from '@pushfleet/domain';
import { startRedisServer, until, type RedisServer } from '@pushfleet/testing';
import { startService, type Service } from './service';

export interface DemoApp {
  readonly id: string;
  readonly key: string;
  readonly masterKey: string;
}

interface ChannelColumn {
  readonly expected: number;
  readonly matched: number;
  readonly accepted: number;
  readonly delivered: number;
  readonly lapsed: number;
  readonly discarded: Readonly<Record<string, number>>;
  readonly failed: Readonly<Record<string, number>>;
  readonly outstanding: number;
}

export interface WireRecord {
  readonly objectId: string;
  readonly status: string;
  readonly devices: number;
  readonly successes: number;
  readonly channels: Readonly<Record<string, ChannelColumn>>;
  readonly errors: readonly {
    channel: string;
    reason: string;
    count: number;
    vendorCode?: string;
    samples: string[];
  }[];
}

export interface ChannelTraffic {
  readonly calls: number;
  readonly devices: number;
  readonly distinctDevices: number;
  readonly duplicates: number;
}

/** The whole fleet on free ports with a Redis of its own and the simulator in place of the vendors. */
export class Fleet {
  private constructor(
    readonly redis: RedisServer,
    readonly env: Record<string, string>,
    private readonly services: Map<string, Service>,
  ) {}

  static async start(
    workers: readonly string[] = [...channelNames, OWN_CHANNEL],
    settings: Readonly<Record<string, string>> = {},
  ): Promise<Fleet> {
    const redis = await startRedisServer();
    const env: Record<string, string> = {
      REDIS_URL: redis.url,
      SECRET_KEY: randomBytes(32).toString('base64'),
      ADMIN_TOKEN: randomBytes(16).toString('hex'),
      INGRESS_PORT: '0',
      CONSOLE_PORT: '0',
      SIMULATOR_PORT: '0',
      GATEWAY_PORT: '0',
      DRAIN_MS: '0',
      LOG_LEVEL: 'warn',
      ...settings,
    };
    const fleet = new Fleet(redis, env, new Map());
    try {
      await fleet.open(workers);
    } catch (error) {
      // Processes that nobody stops would keep the test runner from ending.
      await fleet.stop();
      throw error;
    }
    return fleet;
  }

  private async open(workers: readonly string[]): Promise<void> {
    await this.run('simulator');
    const endpoints = Object.values(channels).flatMap((channel) => Object.keys(channel.endpoints));
    for (const variable of endpoints) this.env[variable] = this.url('simulator');
    await this.run('ingress');
    this.env['INGRESS_PUBLIC_URL'] = this.url('ingress');
    const starts = [this.run('dispatcher'), this.run('console'), ...workers.map((channel) => this.runWorker(channel))];
    const failed = (await Promise.allSettled(starts)).find((start) => start.status === 'rejected');
    if (failed) throw failed.reason;
  }

  async run(app: string, extra: Readonly<Record<string, string>> = {}, name = app): Promise<Service> {
    const service = await startService(app, { ...this.env, ...extra });
    this.services.set(name, service);
    return service;
  }

  runWorker(channel: string, extra: Readonly<Record<string, string>> = {}): Promise<Service> {
    return this.run('channel-worker', { CHANNEL: channel, ...extra }, `worker-${channel}`);
  }

  service(name: string): Service {
    const service = this.services.get(name);
    if (!service) throw new Error(`${name} does not run`);
    return service;
  }

  url(name: string, app = name): string {
    return this.service(name).urls[app] ?? '';
  }

  async stop(): Promise<void> {
    await Promise.all([...this.services.values()].map((service) => service.stop()));
    await this.redis.close();
  }

  async admin<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(`${this.url('console')}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${this.env['ADMIN_TOKEN'] ?? ''}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  /** A commercial app with hybrid push on, no limits and a profile for every vendor. */
  async createApp(settings: Readonly<Record<string, unknown>> = {}): Promise<DemoApp> {
    const app = await this.admin<DemoApp>('POST', '/apps', { name: 'demo', edition: 'commercial' });
    await this.admin('PATCH', `/apps/${app.id}`, { hybrid: true, limits: { callsPerMinute: 0 }, ...settings });
    for (const [channel, profile] of Object.entries(simulatorProfiles)) {
      await this.admin('PUT', `/apps/${app.id}/profiles/${channel}/_default`, profile);
    }
    return app;
  }

  async call<T>(app: DemoApp, [method, path]: readonly [string, string], body?: unknown): Promise<T> {
    const answer = await fetch(`${this.url('ingress')}/1.1${path}`, {
      method,
      headers: { 'x-lc-id': app.id, 'x-lc-key': app.key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  push(app: DemoApp, body: unknown): Promise<{ objectId: string; createdAt: string }> {
    return this.call(app, ['POST', '/push'], body);
  }

  record(app: DemoApp, pushId: string): Promise<WireRecord> {
    return this.call(app, ['GET', `/notifications/${pushId}`]);
  }

  /** The record once it is done. */
  done(app: DemoApp, pushId: string, timeoutMs = 20_000): Promise<WireRecord> {
    return until(
      async () => {
        const record = await this.record(app, pushId);
        if (record.status !== 'done') throw new Error(JSON.stringify(record));
        return record;
      },
      { timeoutMs, everyMs: 50 },
    );
  }

  async simulator<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(`${this.url('simulator')}/_simulator${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  async traffic(channel: string): Promise<ChannelTraffic> {
    const stats = await this.simulator<Record<string, ChannelTraffic>>('GET', '/stats');
    const found = stats[channel];
    if (!found) throw new Error(`the simulator knows no ${channel}`);
    return found;
  }
}

/** Throws when a column does not add up. */
export function expectBalanced(record: WireRecord): void {
  for (const [channel, column] of Object.entries(record.channels)) {
    const booked = [
      column.accepted,
      column.outstanding,
      ...Object.values(column.discarded),
      ...Object.values(column.failed),
    ];
    const sum = booked.reduce((a, b) => a + b, 0);
    if (sum !== column.matched) throw new Error(`${channel} does not add up: ${JSON.stringify(column)}`);
  }
}
