import { randomBytes } from 'node:crypto';
import type { RedisServer } from './redis-server';
import { startService, type Service } from './service';

export interface FleetParts {
  /** Channels to start a worker for. */
  readonly workers: readonly string[];
  /** Environment names of the vendors' origins, all pointed at the simulator. */
  readonly endpoints: readonly string[];
}

/** The fleet on free ports, every app a process of its own, with a Redis and the simulator in place of the vendors. */
export class FleetProcesses {
  /** The environment of every process. */
  readonly env: Record<string, string>;
  private readonly services = new Map<string, Service>();

  constructor(
    readonly redis: RedisServer,
    settings: Readonly<Record<string, string>> = {},
  ) {
    this.env = {
      REDIS_URL: redis.url,
      SECRET_KEY: randomBytes(32).toString('base64'),
      ADMIN_TOKEN: randomBytes(16).toString('hex'),
      INGRESS_PORT: '0',
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

  /** Processes by the name that each was started under. */
  get running(): ReadonlyMap<string, Service> {
    return this.services;
  }

  /** Stops a process for good: no other takes its place. */
  async retire(name: string): Promise<void> {
    await this.service(name).stop();
    this.services.delete(name);
  }

  service(name: string): Service {
    const service = this.services.get(name);
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
