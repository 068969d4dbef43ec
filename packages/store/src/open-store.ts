import { DAY_MS } from '@pushfleet/domain';
import { openAccessTokens, type AccessTokens } from './access-tokens';
import { openAuditLog, type AuditLog } from './audit-log';
import { openApps, type AppStore } from './apps';
import { openFormat, type FormatStore } from './format/open-format';
import { openGateways, type GatewayStore } from './gateways';
import {
  openConfirmations,
  openInstallations,
  type Confirmations,
  type DefaultCeiling,
  type InstallationStore,
} from './installations';
import { Keys } from './keys';
import { openLeases, type LeaseStore } from './leases';
import { openMailboxes, type MailboxStore } from './mailboxes';
import { openMemoryGuard } from './memory-guard';
import { openPacing, type PacingStore } from './pacing/open-pacing';
import { openPeople, type PeopleStore } from './people';
import { openPresence, type PresenceStore } from './presence';
import { openProcesses, type ProcessStore } from './processes';
import { openProfiles, type ProfileStore } from './profiles';
import { openAcceptPushes, type AcceptedPush, type NewPush, type OnNamed } from './pushes/accept';
import { openPushAudit, type PushAudit } from './pushes/audit';
import { openWorkCount, type CountOpenWork } from './pushes/open-work';
import { openClosedPushes, type ClosedPushes } from './pushes/closed-pushes';
import { openLedger, type Ledger } from './pushes/ledger';
import { openPushRecords, type PushRecords } from './pushes/records';
import { openReceiptBooks, type ReceiptBooks } from './pushes/receipts';
import { openSchedule, type PushSchedule } from './pushes/schedule';
import { openPurges, type Purges } from './purge/open-purges';
import { openQuotas, type Quotas } from './quotas';
import type { RedisClient } from './redis';
import { Rounds } from './rounds';
import { NO_SEALING, openSealing, type Sealing } from './sealing/sealing';
import { NO_SECRETS, SecretKeys } from './sealing/secret-box';
import { openAccountIds, type AccountIdStore } from './users/account-ids';
import { openClients, type ClientStore } from './users/clients';
import { openFailureCounts, type FailureCounts } from './users/failure-counts';
import { openMacTokens, type MacTokenStore } from './users/mac-tokens';
import { openReceiptSignatures, type ReceiptSignatures } from './receipt-signatures';
import { openNonces, type NonceStore } from './users/nonces';
import { openUsers, type UserStore } from './users/users';
import { openWaits, type Waits } from './waits';

export interface StoreConfig {
  readonly redis: RedisClient;
  /** First part of every key. */
  readonly namespace: string;
  /** 32 bytes, base64; a process without it opens no secret, and needs none. */
  readonly secretKey?: string | undefined;
  readonly previousSecretKey?: string | undefined;
  /** Channel by the wire value of `vendor`. */
  readonly vendors: ReadonlyMap<string, string>;
  /** Life of a push record after `done`. */
  readonly retentionMs?: number | undefined;
  readonly now?: () => number;
  /** What apps may have that set nothing themselves; absent: bytes in proportion to the memory of Redis. */
  readonly ceiling?: DefaultCeiling | undefined;
  /** Told of unconfirmed installations that this process removed to make room for others. */
  readonly onEvicted?: ((app: string, count: number) => void) | undefined;
}

export interface Store {
  readonly apps: AppStore;
  readonly profiles: ProfileStore;
  readonly tokens: AccessTokens;
  readonly installations: InstallationStore;
  /** Of installations, by whoever has seen their devices. */
  readonly confirmations: Confirmations;
  readonly pushes: PushRecords;
  readonly ledger: Ledger;
  readonly audit: PushAudit;
  readonly countOpenWork: CountOpenWork;
  readonly closed: ClosedPushes;
  readonly receipts: ReceiptBooks;
  readonly schedule: PushSchedule;
  readonly quotas: Quotas;
  readonly users: UserStore;
  readonly clients: ClientStore;
  readonly accountIds: AccountIdStore;
  readonly macTokens: MacTokenStore;
  readonly receiptSignatures: ReceiptSignatures;
  readonly nonces: NonceStore;
  readonly failures: FailureCounts;
  readonly mailboxes: MailboxStore;
  readonly presence: PresenceStore;
  readonly gateways: GatewayStore;
  readonly pacing: PacingStore;
  readonly processes: ProcessStore;
  readonly auditLog: AuditLog;
  readonly people: PeopleStore;
  readonly format: FormatStore;
  readonly waits: Waits;
  readonly leases: LeaseStore;
  /** Of apps that were removed. */
  readonly purges: Purges;
  readonly sealing: Sealing;
  acceptPushes(pushes: readonly NewPush[], onNamed?: OnNamed): Promise<readonly AcceptedPush[]>;
}

/** LeanCloud push guide: push records are kept for seven days. */
const RETENTION_MS = 7 * DAY_MS;

export function openStore(config: StoreConfig): Store {
  const { redis, vendors, now = Date.now, retentionMs = RETENTION_MS } = config;
  const keys = new Keys(config.namespace);
  const { secretKey: current, previousSecretKey: previous } = config;
  const secretKeys = current === undefined ? undefined : new SecretKeys({ redis, keys, current, previous, now });
  const secrets = secretKeys ?? NO_SECRETS;
  const memory = openMemoryGuard({ redis, now });
  const rounds = new Rounds();
  const parts = { redis, keys, secrets, memory, now };
  const pushes = openPushRecords({ redis, keys, retentionMs, now });
  const apps = openApps(parts);
  const profiles = openProfiles(parts);
  const pacing = openPacing(parts);
  const acceptPushes = openAcceptPushes({ redis, keys, retentionMs });
  const audit = openPushAudit({ redis, keys });
  const processes = openProcesses({ redis, keys, keyId: secretKeys?.current.id });
  const installations = openInstallations({
    ...{ ...parts, vendors, rounds },
    profileNames: (app) => profiles.names(app),
    ceilings: { settings: (app) => apps.settings(app), memory, defaults: config.ceiling ?? { installations: 0 } },
    onEvicted: config.onEvicted ?? (() => undefined),
  });
  return {
    apps,
    profiles,
    tokens: openAccessTokens(parts),
    installations,
    confirmations: openConfirmations({ redis, keys, rounds }),
    pushes,
    schedule: openSchedule({ redis, keys, pushes }),
    quotas: openQuotas(parts),
    ledger: openLedger({ redis, keys, retentionMs }),
    audit,
    countOpenWork: openWorkCount({ redis, keys, audit }),
    closed: openClosedPushes({ redis, keys, retentionMs }),
    receipts: openReceiptBooks(parts),
    users: openUsers(parts),
    clients: openClients(parts),
    accountIds: openAccountIds(parts),
    macTokens: openMacTokens(parts),
    receiptSignatures: openReceiptSignatures(parts),
    nonces: openNonces(parts),
    failures: openFailureCounts(parts),
    mailboxes: openMailboxes({ ...parts, rounds }),
    presence: openPresence(parts),
    gateways: openGateways(parts),
    pacing,
    processes,
    ...{ auditLog: openAuditLog(parts), people: openPeople(config) },
    format: openFormat({ ...parts, processes, channels: installations.channels }),
    waits: openWaits({ redis, keys, pacing, now }),
    leases: openLeases(parts),
    purges: openPurges(parts),
    sealing: secretKeys ? openSealing({ redis, keys, secrets: secretKeys, now }) : NO_SEALING,
    async acceptPushes(group, onNamed) {
      await memory.requireRoom('request');
      return acceptPushes(group, now(), onNamed);
    },
  };
}
