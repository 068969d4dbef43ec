export { generateKey } from './apps';
export { ACCOUNT_KEYS, accountKeys, type AccountKeys, type CallsBy } from './keys';
export { type AccountStores, openAccountStores } from './open-account-stores';
export type { ProfileNote } from './profile-notes';
export type { ProfileRef } from './profile-ref';
export type { ProfileBuckets, ProfileStore, StoredProfile } from './profiles';
export {
  openPurgeBook,
  PURGE_STEPS,
  type PurgeBook,
  type PurgeList,
  type PurgeProgress,
  type PurgeStep,
} from './purge-list';
export type { Quotas } from './quotas';
export { accessTokenContext, appKeyContext, profileContext, replacedKeyContext } from './secret-contexts';
