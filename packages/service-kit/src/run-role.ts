import type { z } from 'zod';
import { processEnv } from './config';
import type { Environment } from './secret-files';
import { leaveWithoutRedis, type FleetRedis } from './leave-without-redis';
import type { LogConfig } from './logger';
import { misspelledSettings, warnOfMisspelled, type Misspelled } from './misspelled-settings';
import { openInstruments, type Instruments } from './open-instruments';
import { startBeats, type ProcessBoard, type SharedSettings } from './process-beats';
import { runService, type ServiceContext } from './run-service';
import type { AdminConfig } from './serve-admin';
import type { Signals } from './take-signals';
import { readCertificate, type TlsFiles } from './tls/read-certificate';
import { openServerCertificate, type ServerCertificate } from './tls/server-certificate';
import type { TracingConfig } from './tracing/open-tracing';

export type RoleConfig = LogConfig & AdminConfig & TracingConfig & TlsFiles;

/** How a role is stopped. */
export type RoleStops = Pick<
  ServiceContext,
  'onClose' | 'onStopping' | 'cutoff' | 'stopping' | 'drainWithin' | 'hurry'
>;

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
export interface RoleParts<Config> extends Omit<RoleStops, 'hurry'>, Instruments {
  readonly config: Config;
  /** What its public port shows; undefined: it speaks no TLS. */
  readonly certificate: ServerCertificate | undefined;
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
  readonly configSchema: z.ZodObject;
  /** Tell several processes of the role apart, in every line of the log too. */
  labels?(config: Config): Readonly<Record<string, string>>;
  /** The proxies that are trusted in front of its public port. */
  proxyHops?(config: Config): number;
  /** Resolves with the addresses that it serves, once it does. */
  start(parts: RoleParts<Config>): Promise<Readonly<Record<string, string>>>;
}

/** A role whose settings are read. */
export interface SettledRole {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly config: RoleConfig;
  /** What is set and nearly a setting of the role. */
  readonly misspelled: readonly Misspelled[];
  start(stops: RoleStops, instruments: Instruments): Promise<Readonly<Record<string, string>>>;
}

/** Throws a `ConfigError`. */
export function settleRole<Config extends RoleConfig>(role: Role<Config>, env: Environment): SettledRole {
  const config = role.loadConfig(env);
  const labels = role.labels?.(config) ?? {};
  const first = readCertificate(config);
  return {
    name: role.name,
    labels,
    config,
    misspelled: misspelledSettings(role.configSchema, env),
    start: (stops, instruments) => {
      const certificate = first && openServerCertificate({ files: config, first, ...instruments });
      if (certificate) stops.onClose('certificate', () => certificate.stop());
      const told = membership(
        { name: role.name, labels, certificate, proxyHops: role.proxyHops?.(config) },
        stops,
        instruments,
      );
      return role.start({ ...stops, ...instruments, config, certificate, ...told });
    },
  };
}

interface ProxyHops {
  readonly proxyHops: number | undefined;
}

function membership(
  { name, ...shown }: Pick<SettledRole, 'name' | 'labels'> & Pick<RoleParts<RoleConfig>, 'certificate'> & ProxyHops,
  stops: RoleStops,
  { log, admin }: Instruments,
): Pick<RoleParts<RoleConfig>, 'join' | 'onRedisAway'> {
  return {
    async join({ processes, settings, format }, redis) {
      const beats = startBeats({ processes, settings }, { role: name, log, ...shown });
      stops.onClose('beats', () => beats.stop());
      await beats.first;
      admin.addReadiness('format', () => format.check());
      admin.addNote('format', () => format.difference());
      const difference = await format.difference();
      if (difference !== undefined) log.warn({ difference }, 'the data are of another format');
      admin.addReadiness('redis', () => redis.ping());
      leaveWithoutRedis(redis, stops);
    },
    onRedisAway(reason, tries) {
      admin.waitsFor(`Redis: ${reason} (try ${tries})`);
      if (tries % TRIES_PER_LINE === 1) log.warn({ setting: 'REDIS_URL', reason, tries }, 'waiting for Redis');
    },
  };
}

/** Runs a process of one role from its first line to its last. */
export const runRole = <Config extends RoleConfig>(role: Role<Config>, signals: Signals): Promise<void> =>
  runService(
    role.name,
    async (service) => {
      const settled = settleRole(role, processEnv());
      const instruments = await openInstruments(service, settled);
      warnOfMisspelled(instruments.log, settled.misspelled);
      const urls = await settled.start(service, instruments);
      instruments.admin.ready();
      service.announce({ urls: { ...urls, metrics: instruments.admin.url } });
    },
    { signals },
  );
