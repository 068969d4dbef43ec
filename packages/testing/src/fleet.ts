import { randomBytes } from 'node:crypto';
import { startRedisServer, type RedisServer } from './redis-server';
import { startService, type Service } from './service';

export interface FleetOptions {
  /** Channels to start a worker for. */
  readonly workers: readonly string[];
  /** Environment names of the vendors' origins, all pointed at the simulator. */
  readonly endpoints: readonly string[];
  /** For every process. */
  readonly env?: Readonly<Record<string, string>>;
  /** More arguments of redis-server. */
  readonly redisArgs?: readonly string[];
}

/** The fleet on free ports, every app a process of its own, with a private Redis and the simulator for the vendors. */
export class FleetProcesses {
  protected readonly services = new Map<string, Service>();

  protected constructor(
    readonly redis: RedisServer,
    readonly env: Record<string, string>,
  ) {}

  static async launch(options: FleetOptions): Promise<FleetProcesses> {
    const redis = await startRedisServer({ args: options.redisArgs ?? [] });
    const fleet = new FleetProcesses(redis, fleetEnv(redis.url, options.env));
    await fleet.launchAll(options);
    return fleet;
  }

  protected async launchAll({ workers, endpoints }: FleetOptions): Promise<void> {
    await this.run('simulator');
    for (const variable of endpoints) this.env[variable] = this.url('simulator');
    await this.run('ingress');
    this.env['INGRESS_PUBLIC_URL'] = this.url('ingress');
    await Promise.all([
      this.run('dispatcher'),
      this.run('console'),
      ...workers.map((channel) => this.runWorker(channel)),
    ]);
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

  /** The public address of an app. */
  url(app: string): string {
    return this.service(app).urls[app] ?? '';
  }

  async stop(): Promise<void> {
    await Promise.all([...this.services.values()].map((service) => service.stop()));
    await this.redis.close();
  }
}

function fleetEnv(redisUrl: string, extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    REDIS_URL: redisUrl,
    SECRET_KEY: randomBytes(32).toString('base64'),
    ADMIN_TOKEN: randomBytes(16).toString('hex'),
    INGRESS_PORT: '0',
    CONSOLE_PORT: '0',
    SIMULATOR_PORT: '0',
    LOG_LEVEL: 'warn',
    ...extra,
  };
}
