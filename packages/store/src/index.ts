export { generateKey, type AppKeyName, type AppStore } from './apps';
export type { AccessTokens, StoredAccessToken } from './access-tokens';
export type { GatewayNode, GatewayStore, Hint, HintListener } from './gateways';
export type {
  AddressedDevice,
  AudienceWalk,
  FindRequest,
  Found,
  ImportCounts,
  ImportedInstallation,
  InstallationStore,
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
export { SHARDS } from './keys';
export { referenceOf, type MailboxPush, type MailboxStore, type MailboxWrite, type Stored } from './mailboxes';
export { openStore, type Store, type StoreConfig } from './open-store';
export type { Attached, Presence, PresenceStore } from './presence';
export type { ProfileRef, ProfileStore, StoredProfile } from './profiles';
export type { AcceptedPush, NewPush, ScheduledPlace } from './pushes/accept';
export { Books } from './pushes/books';
export type { Folded, FoldedPart, FoldWrite, LaneState, Ledger, OpenParts, PlanWrite, Tries } from './pushes/ledger';
export { ALL_PUSH_SHARDS, type DeviceVerdict, type PushRecords, type PushToSend } from './pushes/records';
export type { ListRange } from './pushes/list';
export type { PushSchedule, TakeBounds } from './pushes/schedule';
export type { CallGrant, Quotas } from './quotas';
export { openRedis, type RedisClient, type RedisConfig } from './redis';
export { clientIdSchema, clientSchema, type Client, type ClientStore } from './users/clients';
export type { FailureCount, FailureCounts } from './users/failure-counts';
export {
  macTokenSchema,
  type AddedToken,
  type MacTokenStore,
  type NewMacToken,
  type StoredMacToken,
  type TokenState,
} from './users/mac-tokens';
export type { NonceStore } from './users/nonces';
export { userIdSchema, userSchema, type User, type UserStore, type UserWithBlocks } from './users/users';
