export { generateKey } from './accounts';
export { describeFormat, type FormatState } from './format';
export type { GatewayNode, GatewayStore, Hint } from './own-channel';
export type {
  ColumnIndex,
  Confirmations,
  ImportedInstallation,
  ImportOutcome,
  InstallationStore,
  NarrowedDevice,
  RoomOfApp,
  Saved,
  SaveRequest,
  Scanned,
  Unseen,
  WalkedDevice,
  WalkedPage,
} from './installations';
export { AppFull, isFewShards, isObjectId, MAX_LOOKED_UP, newestOfEach, openTurn } from './installations';
export type { RetiredRegistration, RetiredRequest } from './installations';
export { ALL_SHARDS, SHARDS, shardOf } from './kit/shards';
export type { CallsBy } from './accounts';
export { readReference, referenceOf, type MailboxPush, type MailboxStore, type Stored } from './own-channel';
export { openRoleStore } from './open-role-store';
export { openStore, type Store } from './open-store';
export { profileKey, profileOfKey, type AppProfile } from './pacing';
export type { Breaker, BreakerStore } from './pacing';
export { LEASE_MS, secondsFor, type BudgetLeases, type LeaseWish, type PacedRate } from './pacing';
export { controlFor, isServed, type Control, type ControlScope } from './pacing';
export type { PacingStore } from './pacing';
export type { HeldPush, PushHold, PushHoldStore, PushOfProfile } from './pacing';
export type { CallLimitStore, CallsAllowed } from './pacing';
export type { SlowCalls, SlowCallStore } from './pacing';
export type { VendorWait } from './pacing';
export type { WorkerRank } from './pacing';
export { nameKey, type ApiToken, type PeopleStore, type Person } from './people';
export type { PreflightCount, PreflightCounts, PreflightQuestion, PreflightState, PreflightWay } from './preflights';
export type { PresenceStore } from './own-channel';
export type { AuditChanges, AuditEntry } from './fleet';
export { processName, type FleetProcess } from './fleet';
export type { ProfileNote, ProfileRef, ProfileStore, StoredProfile } from './accounts';
export {
  type AcceptedPush,
  type DirectPlan,
  type NamedDevice,
  type NamedPush,
  type NewPush,
  type OnNamed,
  type AuditedPush,
  type OpenWork,
  type Total,
  Books,
  type OutcomeCursor,
  type OutcomeFilter,
  type OutcomeRow,
  type Folded,
  type FoldedPart,
  type LaneState,
  type Tries,
  type DeviceVerdict,
  type PushRecords,
  type PushToSend,
  OpenPushesFull,
  type OpenPushRoom,
  placesOf,
  type PushSchedule,
  PUSH_CURSOR,
  pushCursorOf,
  readPushCursor,
  type PushPosition,
  isPushId,
  NO_PUSH_ID,
  isUnreadablePush,
  planDirect,
  planFound,
  planNamed,
} from './pushes';
export { PURGE_STEPS, type PurgeProgress, type Quotas } from './accounts';
export { fewAtOnce } from './kit/few-at-once';
export { openRedis, type RedisClient } from './kit/redis';
export { placeOf } from './kit/redis-place';
export { redisRefused } from './kit/redis-refused';
export { CLUSTER_COMMANDS, FLEET_COMMANDS, SPARE_COMMANDS } from './kit/fleet-commands';
export { readRedisFacts, type RedisFacts } from './kit/redis-facts';
export { redisSettings, type RedisSettings } from './kit/redis-settings';
export { givenAccountIdsSchema, type AccountIds, type AccountIdStore, type GivenAccountIds } from './users';
export { DEFAULT_DEVELOPER, clientIdSchema, clientSchema, type Client, type FailureCounts } from './users';
export {
  DEFAULT_SCOPE,
  isListCursor,
  macTokenSchema,
  type ListedToken,
  type AddedToken,
  type NewMacToken,
  type StoredMacToken,
  type TokenState,
} from './users';
export { NONCE_PERIOD_SECONDS } from './users';
export { userIdSchema, userSchema, type User } from './users';
export { rememberBriefly } from './kit/remember-briefly';
export { underLease } from './kit/under-lease';
export { MEMORY_LIMITS } from './kit/memory-guard';
export { RedisFull } from './kit/redis-away';
export { isRedisAway } from './kit/redis-away';
export { Rounds } from './kit/rounds';
export { openRoundLimit, openTurns, type NextTurn } from './kit/turns';
export { isUnreadableSecret } from './kit/sealed-text';
export type { Sealing, SealingProgress, SealingStatus } from './sealing';
export type { Waits } from './pacing';
