import { DAY_MS, LIMITS } from '@pushfleet/domain';
import { openAccountStores, type AccountStores } from './accounts';
import { FORMAT, openFormat, type FormatStore, rememberSettled } from './format';
import {
  openConfirmations,
  openInstallations,
  openProfileBuckets,
  type Confirmations,
  type DefaultCeiling,
  type InstallationStore,
} from './installations';
import { openLeases, type LeaseStore } from './kit/leases';
import { openMemoryGuard } from './kit/memory-guard';
import type { RedisClient } from './kit/redis';
import { Rounds } from './kit/rounds';
import { openMessaging, type MessagingStore } from './messaging';
import { openOwnChannelStores, type OwnChannelStores } from './own-channel';
import { openPacing, openWaits, type PacingStore, type Waits } from './pacing';
import { openPeople, type PeopleStore } from './people';
import {
  openAuditLog,
  openFleetClock,
  openProcesses,
  openSettings,
  type AuditLog,
  type FleetClock,
  type ProcessStore,
  type SettingsVersions,
} from './fleet';
import { openPreflights, type Preflights } from './preflights';
import { openPurges, type Purges } from './purge';
import { openPushStores, type PushStores } from './pushes';
import { NO_SEALING, NO_SECRETS, openSealing, SecretKeys, type Sealing } from './sealing';
import { storeKeys } from './store-keys';
import { openUserStores, type UserStores } from './users';

export interface StoreConfig {
  readonly redis: RedisClient;
  /** First part of every key. */
  readonly namespace: string;
  /** 32 bytes, base64; a process without it can open no secret. */
  readonly secretKey?: string | undefined;
  readonly previousSecretKey?: string | undefined;
  /** Channel by the wire value of `vendor`. */
  readonly vendors: ReadonlyMap<string, string>;
  /** Life of a push record after `done`. */
  readonly retentionMs?: number | undefined;
  /** The same of a push that names its devices; absent: as long as any other. */
  readonly addressedRetentionMs?: number | undefined;
  /** What the outcomes of the audience pushes of one app may take; absent: as much as `LIMITS` says. */
  readonly outcomeBytes?: number | undefined;
  readonly now?: () => number;
  /** What apps may have that set nothing themselves; absent: bytes in proportion to the memory of Redis. */
  readonly ceiling?: DefaultCeiling | undefined;
  /** Called with the number of unconfirmed installations that this process removed to make room for others. */
  readonly onEvicted?: ((app: string, count: number) => void) | undefined;
}

/** The doors of every room. */
export interface Store extends AccountStores, OwnChannelStores, PushStores, UserStores {
  readonly installations: InstallationStore;
  /** Of installations, by the processes that have seen their devices. */
  readonly confirmations: Confirmations;
  /** Of chat servers: who has muted what, and whose an installation is. */
  readonly messaging: MessagingStore;
  readonly pacing: PacingStore;
  readonly waits: Waits;
  /** By which everything is decided that others see: what is due, what has expired. */
  readonly clock: Pick<FleetClock, 'now' | 'isOff'>;
  readonly processes: ProcessStore;
  /** Whether this process and the others know what changed. */
  readonly settings: SettingsVersions;
  readonly auditLog: AuditLog;
  /** Who may use the admin API. */
  readonly people: PeopleStore;
  readonly format: FormatStore;
  readonly leases: LeaseStore;
  /** Pushes that are planned and not sent. */
  readonly preflights: Preflights;
  /** Of apps that were removed. */
  readonly purges: Purges;
  readonly sealing: Sealing;
}

/** LeanCloud push guide: push records are kept for seven days. */
const RETENTION_MS = 7 * DAY_MS;

export function openStore(config: StoreConfig): Store {
  const { redis, vendors } = config;
  const clock = openFleetClock(config.now ?? Date.now);
  const { now } = clock;
  const keys = storeKeys(config.namespace);
  const { secretKey: current, previousSecretKey: previous } = config;
  const secretKeys = current === undefined ? undefined : new SecretKeys({ redis, keys, current, previous, now });
  const memory = openMemoryGuard({ redis, now });
  const rounds = new Rounds();
  const parts = { redis, keys, secrets: secretKeys ?? NO_SECRETS, memory, rounds, now };
  const settings = openSettings(parts);
  const { onChange: onSettings } = settings;
  const accounts = openAccountStores({ ...parts, onSettings, buckets: openProfileBuckets(parts) });
  const pacing = openPacing(parts);
  const processes = openProcesses({
    redis,
    keys,
    keyId: secretKeys?.current.id,
    format: FORMAT,
    settings: settings.known,
    clock,
  });
  const leases = openLeases(parts);
  const installations = openInstallations({
    ...parts,
    vendors,
    leases,
    profileNames: (app) => accounts.profiles.names(app),
    ceilings: {
      settings: (app) => accounts.apps.settings(app),
      memory,
      defaults: config.ceiling ?? { installations: 0 },
    },
    onEvicted: config.onEvicted ?? (() => undefined),
    onSettings,
  });
  const format = openFormat({ ...parts, processes, channels: installations.channels });
  const kept = { ...keptOf(config), mayPack: rememberSettled(format.isSettled, now) };
  return {
    ...accounts,
    ...openOwnChannelStores(parts),
    ...openPushStores({ ...parts, ...kept }),
    ...openUserStores(parts),
    installations,
    confirmations: openConfirmations(parts),
    messaging: openMessaging({ ...parts, room: installations.roomBeside, existing: installations.existing }),
    pacing,
    waits: openWaits({ ...parts, pacing }),
    clock,
    processes,
    settings,
    auditLog: openAuditLog(parts),
    people: openPeople(config),
    format,
    leases,
    preflights: openPreflights(parts),
    purges: openPurges(parts),
    sealing: secretKeys ? openSealing({ ...parts, secrets: secretKeys }) : NO_SEALING,
  };
}

/** How long the records of pushes are kept, and how much of what became of devices. */
function keptOf({
  retentionMs = RETENTION_MS,
  addressedRetentionMs = retentionMs,
  outcomeBytes = LIMITS.outcomeBytes.value,
}: StoreConfig) {
  return { retentionMs, addressedRetentionMs, outcomeBytes };
}
