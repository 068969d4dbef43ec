import type { TokenStore } from '@pushfleet/domain';
import { openAccessTokens } from './access-tokens';
import type { AccountParts } from './account-parts';
import { openApps, type AppStore } from './apps';
import { openProfiles, type ProfileBuckets, type ProfileStore } from './profiles';
import { openQuotas, type Quotas } from './quotas';

export interface AccountStores {
  readonly apps: AppStore;
  readonly profiles: ProfileStore;
  readonly tokens: TokenStore;
  readonly quotas: Quotas;
}

export const openAccountStores = (parts: AccountParts & { readonly buckets: ProfileBuckets }): AccountStores => ({
  apps: openApps(parts),
  profiles: openProfiles(parts),
  tokens: openAccessTokens(parts),
  quotas: openQuotas(parts),
});
