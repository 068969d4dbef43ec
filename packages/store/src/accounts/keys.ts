import { APP, families, type KeyFamily } from '../kit/key-family';

/** Calls by the app key and calls by the master key are counted apart. */
export type CallsBy = 'app-key' | 'master-key';

export function accountKeys(namespace: string) {
  const apps = (): string => `${namespace}:apps`;
  const accessToken = (key: string): string => `${namespace}:token:{${key}}`;
  return {
    apps,
    /** Apps whose data is being deleted. The key is in the slot of `apps`, so that one script changes both. */
    purges: (): string => `${namespace}:purges:{${apps()}}`,
    profiles: (app: string): string => `${namespace}:profiles:{${app}}`,
    /** What became known of the profiles of an app: in the slot of `profiles`, so that both go in one step. */
    profileNotes: (app: string): string => `${namespace}:profile-notes:{${app}}`,
    accessToken,
    /** Of the process that asks the vendor for the token. */
    accessTokenClaim: (key: string): string => `${accessToken(key)}:claim`,
    callsOf: (app: string, by: CallsBy): string => `${namespace}:calls:{${app}}${by === 'master-key' ? ':master' : ''}`,
    /** Devices that an app reached on one day (UTC). */
    deliveries: (app: string, day: string): string => `${namespace}:deliveries:{${app}}:${day}`,
  };
}

export type AccountKeys = ReturnType<typeof accountKeys>;

export const ACCOUNT_KEYS: readonly KeyFamily[] = [
  ...families('app', 'name', {
    profiles: `profiles:\\{${APP}\\}`,
    'notes on profiles': `profile-notes:\\{${APP}\\}`,
    'calls of the minute': `calls:\\{${APP}\\}(:master)?`,
    'devices of the day': `deliveries:\\{${APP}\\}:[0-9-]+`,
  }),
  ...families('fleet', 'stays', {
    apps: 'apps',
    'deletions under way': 'purges:\\{[^}]+\\}',
    // Named after a digest of the vendor's credentials, and over within a day.
    'access tokens': 'token:\\{.+\\}(:claim)?',
  }),
];
