export { type AccountIds, type AccountIdStore, type GivenAccountIds, givenAccountIdsSchema } from './account-ids';
export { type Client, clientIdSchema, clientSchema, DEFAULT_DEVELOPER } from './clients';
export type { FailureCounts } from './failure-counts';
export { isListCursor } from './listed';
export { USER_KEYS, userKeys, type UserKeys } from './keys';
export {
  type AddedToken,
  DEFAULT_SCOPE,
  type ListedToken,
  macTokenSchema,
  type NewMacToken,
  type StoredMacToken,
  type TokenState,
} from './mac-tokens';
export { NONCE_PERIOD_SECONDS } from './nonces';
export { openUserStores, type UserStores } from './open-user-stores';
export { ACCOUNT_KEY_CONTEXT, macKeyContext } from './secret-contexts';
export { type User, userIdSchema, userSchema } from './users';
