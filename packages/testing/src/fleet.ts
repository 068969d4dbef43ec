import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
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

type Settings = Readonly<Record<string, string>>;

/** Set to `compact`, every fleet that does not say otherwise has that shape. */
const SHAPE = 'PUSHFLEET_TEST_SHAPE';
const COMPACT = 'fleet';
const NOT_IN_COMPACT = 'simulator';
const WITHOUT_WORKERS = 'ingress,dispatcher,gateway,console,user-info';
const ANY_PORT = '0';

const workerName = (channel: string): string => `worker-${channel}`;

/** The fleet on free ports, with a Redis, and the simulator in place of the vendors. */
export class FleetProcesses {
  /** The environment of every process. */
  readonly env: Record<string, string>;
  private readonly services = new Map<string, Service>();
  /** In the compact shape: what each role was asked for with, and what the one process runs with. */
  private readonly asked = new Map<string, Settings>();
  private playing: Settings = {};
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    readonly redis: RedisServer,
    settings: Settings = {},
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
    for (const channel of workers) this.asked.set(workerName(channel), { CHANNEL: channel });
    await this.playAll();
  }

  /** In the compact shape the one process plays every role: it is started where it does not run with what was asked for. */
  run(app: string, extra: Settings = {}, name = app): Promise<Service> {
    if (this.shape === 'separate' || app === NOT_IN_COMPACT) return this.startAs(name, app, extra);
    this.asked.set(name, extra);
    return this.playAll();
  }

  /** Whoever asks meanwhile waits, so that it is not started twice. */
  private playAll(): Promise<Service> {
    const start = (): Promise<Service> => this.startWanted();
    const started = this.turn.then(start, start);
    this.turn = started;
    return started;
  }

  private async startWanted(): Promise<Service> {
    const running = this.services.get(COMPACT);
    const wanted = this.wanted();
    if (running?.isRunning() === true && isDeepStrictEqual(wanted, this.playing)) return running;
    await running?.stop();
    this.playing = wanted;
    return this.startAs(COMPACT, COMPACT, wanted);
  }

  /** The settings of all roles, and the channels of the workers among them. */
  private wanted(): Settings {
    const asked = [...this.asked.values()];
    const channels = asked.flatMap(({ CHANNEL = [] }) => CHANNEL);
    const played = channels.length === 0 ? { ROLES: WITHOUT_WORKERS } : { CHANNEL: channels.join() };
    return Object.assign({}, this.env, ...asked, played) as Settings;
  }

  private async startAs(name: string, app = name, extra: Settings = {}): Promise<Service> {
    const service = await startService(app, { ...this.env, ...extra });
    this.services.set(name, service);
    return service;
  }

  runWorker(channel: string, extra: Settings = {}): Promise<Service> {
    return this.run('channel-worker', { CHANNEL: channel, ...extra }, workerName(channel));
  }

  /** Whoever ends one role ends all of them. */
  get isOneProcess(): boolean {
    return this.shape === 'compact';
  }

  /** Processes by the name that each was started under. */
  get running(): ReadonlyMap<string, Service> {
    return this.services;
  }

  /** Kills a process. The one process is started again at once: nobody else would take what is asked of the fleet meanwhile. */
  async kill(name: string): Promise<void> {
    await this.service(name).stop('SIGKILL');
    if (this.isOneProcess) await this.playAll();
  }

  /** Ends a process for good: no other takes its place. In the compact shape the one process comes back without that role. */
  async retire(name: string, signal?: NodeJS.Signals): Promise<void> {
    await this.service(name).stop(signal);
    if (this.services.delete(name)) return;
    this.asked.delete(name);
    await this.playAll();
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
