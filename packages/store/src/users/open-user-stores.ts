import type { MemoryGuard } from '../kit/memory-guard';
import type { RedisClient } from '../kit/redis';
import type { SecretBox } from '../kit/sealed-text';
import { openAccountIds, type AccountIdStore } from './account-ids';
import { openClients, type ClientStore } from './clients';
import { openFailureCounts, type FailureCounts } from './failure-counts';
import type { UserKeys } from './keys';
import { openMacTokens, type MacTokenStore } from './mac-tokens';
import { openNonces, type NonceStore } from './nonces';
import { openUsers, type UserStore } from './users';

export interface UserStores {
  readonly users: UserStore;
  readonly clients: ClientStore;
  readonly accountIds: AccountIdStore;
  readonly macTokens: MacTokenStore;
  readonly nonces: NonceStore;
  readonly failures: FailureCounts;
}

interface Parts {
  readonly redis: RedisClient;
  readonly keys: UserKeys;
  readonly secrets: SecretBox;
  readonly memory: MemoryGuard;
}

export const openUserStores = (parts: Parts): UserStores => ({
  users: openUsers(parts),
  clients: openClients(parts),
  accountIds: openAccountIds(parts),
  macTokens: openMacTokens(parts),
  nonces: openNonces(parts),
  failures: openFailureCounts(parts),
});
