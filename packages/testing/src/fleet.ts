import { randomBytes } from 'node:crypto';
import { freePort } from './free-port';
import type { RedisServer } from './redis-server';
import { startService, type Service } from './service';

export interface FleetParts {
  /** Channels to start a worker for. */
  readonly workers: readonly string[];
  /** Environment names of the vendors' origins, all pointed at the simulator. */
  readonly endpoints: readonly string[];
}

/** `separate`: every role a process of its own. `compact`: one process runs all of them, whatever name it is asked for by. */
export type FleetShape = 'separate' | 'compact';

/** Set to `compact`, every fleet that does not say otherwise has that shape. */
const SHAPE = 'PUSHFLEET_TEST_SHAPE';
const COMPACT = 'fleet';
const NOT_IN_COMPACT = 'simulator';
const ANY_PORT = '0';

/** The fleet on free ports, with a Redis, and the simulator in place of the vendors. */
export class FleetProcesses {
  /** The environment of every process. */
  readonly env: Record<string, string>;
  private readonly services = new Map<string, Service>();

  constructor(
    readonly redis: RedisServer,
    settings: Readonly<Record<string, string>> = {},
    private readonly shape: FleetShape = process.env[SHAPE] === 'compact' ? 'compact' : 'separate',
  ) {
    this.env = {
      REDIS_URL: redis.url,
      SECRET_KEY: randomBytes(32).toString('base64'),
      ADMIN_TOKEN: randomBytes(16).toString('hex'),
      INGRESS_PORT: ANY_PORT,
      CONSOLE_PORT: '0',
      SIMULATOR_PORT: '0',
      GATEWAY_PORT: '0',
      USER_INFO_PORT: '0',
      DRAIN_MS: '0',
      LOG_LEVEL: 'warn',
      ...settings,
    };
  }

  /** Starts every app; stops all of them when one does not come up, for nobody else would. */
  async open(parts: FleetParts): Promise<void> {
    try {
      await this.startAll(parts);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  private async startAll({ workers, endpoints }: FleetParts): Promise<void> {
    await this.run('simulator');
    for (const variable of endpoints) this.env[variable] = this.url('simulator');
    if (this.shape === 'compact') return this.startCompact(workers);
    await this.run('ingress');
    this.env['INGRESS_PUBLIC_URL'] = this.url('ingress');
    const starts = [this.run('dispatcher'), this.run('console'), ...workers.map((channel) => this.runWorker(channel))];
    const failed = (await Promise.allSettled(starts)).find((start) => start.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** With the port of the ingress known before: the vendors' receipts go there. */
  private async startCompact(workers: readonly string[]): Promise<void> {
    const { INGRESS_PORT: given = ANY_PORT } = this.env;
    const port = given === ANY_PORT ? String(await freePort()) : given;
    Object.assign(this.env, { INGRESS_PORT: port, INGRESS_PUBLIC_URL: `http://127.0.0.1:${port}` });
    this.env['CHANNEL'] = workers.join();
    await this.startAs(COMPACT);
  }

  /** In the compact shape the one process plays every role: it is started where it does not run. */
  async run(app: string, extra: Readonly<Record<string, string>> = {}, name = app): Promise<Service> {
    if (this.shape === 'separate' || app === NOT_IN_COMPACT) return this.startAs(name, app, extra);
    const running = this.services.get(COMPACT);
    if (running?.isRunning() === true) return running;
    const { CHANNEL: _all, ...settings } = extra;
    return this.startAs(COMPACT, COMPACT, settings);
  }

  private async startAs(name: string, app = name, extra: Readonly<Record<string, string>> = {}): Promise<Service> {
    const service = await startService(app, { ...this.env, ...extra });
    this.services.set(name, service);
    return service;
  }

  runWorker(channel: string, extra: Readonly<Record<string, string>> = {}): Promise<Service> {
    return this.run('channel-worker', { CHANNEL: channel, ...extra }, `worker-${channel}`);
  }

  /** Whoever ends one role ends all of them. */
  get isOneProcess(): boolean {
    return this.shape === 'compact';
  }

  /** Processes by the name that each was started under. */
  get running(): ReadonlyMap<string, Service> {
    return this.services;
  }

  /** Stops a process for good: no other takes its place. */
  async retire(name: string): Promise<void> {
    await this.service(name).stop();
    this.services.delete(name);
  }

  /** The process of this name; where there is none, the one that plays every role. */
  service(name: string): Service {
    const service = this.services.get(name) ?? this.services.get(COMPACT);
    if (!service) throw new Error(`${name} does not run`);
    return service;
  }

  /** The public address that a process announced; `app` where the process has another name. */
  url(name: string, app = name): string {
    return this.service(name).urls[app] ?? '';
  }

  async stop(): Promise<void> {
    await Promise.all([...this.services.values()].map((service) => service.stop()));
    await this.redis.close();
  }
}
