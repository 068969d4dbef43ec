export { generateKey } from './apps';
export { describeFormat, type FormatState } from './format/open-format';
export type { GatewayNode, GatewayStore, Hint } from './gateways';
export type {
  Confirmations,
  ImportedInstallation,
  ImportOutcome,
  InstallationStore,
  NarrowedDevice,
  RoomOfApp,
  Saved,
  SaveRequest,
  WalkedDevice,
  WalkedPage,
} from './installations';
export { AppFull, isObjectId } from './installations';
export { SHARDS, shardOf, type CallsBy } from './keys';
export { referenceOf, type MailboxPush, type MailboxStore, type Stored } from './mailboxes';
export { connectStore } from './connect-store';
export { openStore, type Store } from './open-store';
export type { Breaker, BreakerStore, ProfileOfChannel } from './pacing/breakers';
export { evenPace, LEASE_MS, type BudgetLeases, type LeaseWish, type PacedRate } from './pacing/budget-leases';
export { controlFor, isServed, type Control, type ControlScope } from './pacing/controls';
export type { PacingStore } from './pacing/open-pacing';
export type { HeldPush, PushHold, PushHoldStore, PushOfProfile } from './pacing/push-holds';
export type { SlowCalls, SlowCallStore } from './pacing/slow-calls';
export type { VendorWait } from './pacing/vendor-waits';
export type { WorkerRank } from './pacing/worker-beats';
export { nameKey, type ApiToken, type PeopleStore, type Person } from './people';
export type { PresenceStore } from './presence';
export { type AuditChanges } from './audit-log';
export type { FleetProcess } from './processes';
export type { ProfileRef, ProfileStore, StoredProfile } from './profiles';
export type { AcceptedPush, NewPush, OnNamed } from './pushes/accept';
export type { AuditedPush } from './pushes/audit';
export type { OpenWork } from './pushes/open-work';
export { Books } from './pushes/books';
export type { Folded, FoldedPart, LaneState, Tries } from './pushes/ledger';
export type { DeviceVerdict } from './pushes/decode-record';
export { ALL_PUSH_SHARDS, type PushRecords, type PushToSend } from './pushes/records';
export type { PushSchedule } from './pushes/schedule';
export { isUnreadablePush } from './pushes/unreadable-push';
export { PURGE_STEPS, type PurgeProgress } from './purge/purges';
export { BRIEF_MS } from './remember-briefly';
export type { Quotas } from './quotas';
export { openRedis, type RedisClient } from './redis';
export { readRedisFacts, type RedisFacts } from './redis-facts';
export { redisSettings, type RedisSettings } from './redis-settings';
export { givenAccountIdsSchema, type AccountIds, type AccountIdStore, type GivenAccountIds } from './users/account-ids';
export { DEFAULT_DEVELOPER, clientIdSchema, clientSchema, type Client } from './users/clients';
export type { FailureCounts } from './users/failure-counts';
export {
  DEFAULT_SCOPE,
  macTokenSchema,
  type AddedToken,
  type NewMacToken,
  type StoredMacToken,
  type TokenState,
} from './users/mac-tokens';
export { NONCE_PERIOD_SECONDS } from './users/nonces';
export { userIdSchema, userSchema, type User } from './users/users';
export { underLease } from './under-lease';
export { MEMORY_LIMITS, RedisFull } from './memory-guard';
export { isRedisAway } from './redis-away';
export { Rounds } from './rounds';
export { isUnreadableSecret } from './sealing/sealed-text';
export type { Sealing, SealingProgress, SealingStatus } from './sealing/sealing';
export type { Waits } from './waits';
