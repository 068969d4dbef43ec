import type { Environment } from './secret-files';
import { leaveWithoutRedis, type FleetRedis } from './leave-without-redis';
import type { LogConfig } from './logger';
import { openInstruments, type Instruments } from './open-instruments';
import { startBeats, type ProcessBoard, type SharedSettings } from './process-beats';
import { runService, type ServiceContext } from './run-service';
import type { AdminConfig } from './serve-admin';
import type { Signals } from './take-signals';
import type { TracingConfig } from './tracing/tracing';

export type RoleConfig = LogConfig & AdminConfig & TracingConfig;

type Stops = Pick<ServiceContext, 'onClose' | 'onStopping' | 'cutoff' | 'stopping' | 'drainWithin'>;

/** What a role must know of a fleet to be part of it. */
export interface Fleet {
  readonly processes: ProcessBoard;
  readonly settings: SharedSettings;
  readonly format: {
    /** Rejects as long as a process of this version cannot work with the data. */
    check(): Promise<void>;
    /** Between the data and this version; undefined when nothing differs. */
    difference(): Promise<string | undefined>;
  };
}

/** A try a second: the log tells of the first and of one in a minute. */
const TRIES_PER_LINE = 60;

/** What a role starts with. Everything that it opens registers its close: that is how it is stopped. */
export interface RoleParts<Config> extends Stops, Instruments {
  readonly config: Config;
  /**
   * The fleet knows of the process from now on, until it has closed what is opened after this. The process is ready only as
   * long as it can work with the format of the data, and tells what differs; and as long as Redis answers it.
   */
  join(fleet: Fleet, redis: FleetRedis): Promise<void>;
  /** Told with every try that the process cannot start yet, for want of Redis. */
  onRedisAway(reason: string, tries: number): void;
}

/** One part of the fleet, without the process around it. */
export interface Role<Config extends RoleConfig> {
  readonly name: string;
  /** Throws a `ConfigError`. */
  loadConfig(env?: Environment): Config;
  /** Tell several processes of the role apart, in every line of the log too. */
  labels?(config: Config): Readonly<Record<string, string>>;
  /** Resolves with the addresses that it serves, once it does. */
  start(parts: RoleParts<Config>): Promise<Readonly<Record<string, string>>>;
}

/** Runs a process of one role from its first line to its last. */
export const runRole = <Config extends RoleConfig>(role: Role<Config>, signals: Signals): Promise<void> =>
  runService(
    role.name,
    async (service) => {
      const config = role.loadConfig();
      const labels = role.labels?.(config) ?? {};
      const instruments = await openInstruments(service, { name: role.name, config, labels });
      const { log, admin } = instruments;
      const join: RoleParts<Config>['join'] = async ({ processes, settings, format }, redis) => {
        const beats = startBeats({ processes, settings }, { role: role.name, labels, log });
        service.onClose('beats', () => beats.stop());
        admin.addReadiness('format', () => format.check());
        admin.addNote('format', () => format.difference());
        const difference = await format.difference();
        if (difference !== undefined) log.warn({ difference }, 'the data are of another format');
        admin.addReadiness('redis', () => redis.ping());
        leaveWithoutRedis(redis, service);
      };
      const onRedisAway: RoleParts<Config>['onRedisAway'] = (reason, tries) => {
        admin.waitsFor(`Redis: ${reason} (try ${tries})`);
        if (tries % TRIES_PER_LINE === 1) log.warn({ setting: 'REDIS_URL', reason, tries }, 'waiting for Redis');
      };
      const urls = await role.start({ ...service, ...instruments, config, join, onRedisAway });
      admin.ready();
      service.announce({ urls: { ...urls, metrics: admin.url } });
    },
    { signals },
  );
