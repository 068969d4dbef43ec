export { generateKey, type AppStore } from './apps';
export type { AccessTokens, StoredAccessToken } from './access-tokens';
export { describeFormat, type FormatState, type FormatStore } from './format/open-format';
export type { GatewayNode, GatewayStore, Hint, HintListener } from './gateways';
export type {
  AddressedDevice,
  AudienceWalk,
  Ceiling,
  ChannelIndex,
  ChannelIndexState,
  Confirmations,
  DefaultCeiling,
  FindRequest,
  Found,
  ImportedInstallation,
  ImportOutcome,
  ImportTimes,
  InspectedInstallation,
  InstallationStore,
  NarrowAudience,
  NarrowedDevice,
  RoomOfApp,
  Saved,
  SaveIfRequest,
  SaveRequest,
  Scanned,
  ScanRequest,
  SweepBounds,
  Swept,
  Walk,
  WalkedDevice,
  WalkedPage,
} from './installations';
export { AppFull, isObjectId } from './installations';
export { SHARDS, shardOf, type CallsBy } from './keys';
export type { LeaseStore } from './leases';
export { referenceOf, type MailboxPush, type MailboxStore, type MailboxWrite, type Stored } from './mailboxes';
export { connectStore, type ConnectOptions, type StoreEnvironment } from './connect-store';
export { openStore, type Store, type StoreConfig } from './open-store';
export type { Breaker, BreakerChange, BreakerStore, ProfileOfChannel } from './pacing/breakers';
export {
  evenPace,
  LEASE_MS,
  type BudgetLeases,
  type Lease,
  type LeaseWish,
  type PacedRate,
} from './pacing/budget-leases';
export { controlFor, type Control, type ControlScope, type ControlStore } from './pacing/controls';
export type { EstimateStore, WaitingPush } from './pacing/estimates';
export type { PacingStore } from './pacing/open-pacing';
export type { HeldPush, PushHold, PushHoldStore, PushOfProfile } from './pacing/push-holds';
export type { FieldChange } from './pacing/shared-fields';
export type { SlowCalls, SlowCallStore } from './pacing/slow-calls';
export type { VendorWait, VendorWaitStore } from './pacing/vendor-waits';
export type { WorkerBeats, WorkerRank } from './pacing/worker-beats';
export type { Attached, Presence, PresenceStore } from './presence';
export { MAX_AUDIT_ENTRIES, type AuditChanges, type AuditEntry, type AuditLog } from './audit-log';
export type { FleetProcess, ProcessStore } from './processes';
export type { ProfileRef, ProfileStore, StoredProfile } from './profiles';
export type { AcceptedPush, NewPush, OnNamed, ScheduledPlace } from './pushes/accept';
export type { AuditedPush, PushAudit, WorkLeft } from './pushes/audit';
export { Books } from './pushes/books';
export type { Folded, FoldedPart, FoldWrite, LaneState, Ledger, OpenParts, PlanWrite, Tries } from './pushes/ledger';
export { ALL_PUSH_SHARDS, type DeviceVerdict, type PushRecords, type PushToSend } from './pushes/records';
export type { ListRange } from './pushes/list';
export type { PushSchedule, TakeBounds } from './pushes/schedule';
export { isUnreadablePush } from './pushes/unreadable-push';
export type { PurgeRun, Purges } from './purge/open-purges';
export { PURGE_STEPS, type PurgeProgress } from './purge/purges';
export { BRIEF_MS } from './remember-briefly';
export type { CallGrant, Quotas } from './quotas';
export { openRedis, type RedisClient, type RedisConfig } from './redis';
export { readRedisFacts, type RedisFacts } from './redis-facts';
export { redisSettings, type RedisSettings } from './redis-settings';
export { givenAccountIdsSchema, type AccountIds, type AccountIdStore, type GivenAccountIds } from './users/account-ids';
export { DEFAULT_DEVELOPER, clientIdSchema, clientSchema, type Client, type ClientStore } from './users/clients';
export type { FailureCount, FailureCounts } from './users/failure-counts';
export {
  DEFAULT_SCOPE,
  macTokenSchema,
  type AddedToken,
  type MacTokenStore,
  type NewMacToken,
  type StoredMacToken,
  type TokenState,
} from './users/mac-tokens';
export { NONCE_PERIOD_SECONDS, type NonceStore } from './users/nonces';
export { userIdSchema, userSchema, type User, type UserStore, type UserWithBlocks } from './users/users';
export { underLease, type LeasedWork } from './under-lease';
export { MEMORY_LIMITS, RedisFull } from './memory-guard';
export { isRedisAway } from './redis-away';
export { Rounds } from './rounds';
export { isUnreadableSecret, UnreadableSecret } from './sealing/sealed-text';
export type { SealedCount, Sealing, SealingProgress, SealingStatus } from './sealing/sealing';
export type { Waits } from './waits';
