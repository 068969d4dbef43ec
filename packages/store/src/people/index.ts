import type { RedisClient } from '../kit/redis';
import { openApiTokens, type ApiTokenStore } from './api-tokens';
import { openPersons, type PersonStore } from './people';
import { PeopleKeys } from './people-keys';
import { openSessions, type SessionStore } from './sessions';
import { openSignInBrake, type SignInBrake } from './sign-in-brake';

export { nameKey, type Person } from './people';
export type { ApiToken } from './api-tokens';
export { PEOPLE_KEYS } from './people-keys';

/** Who may use the admin API, and how they prove it. */
export interface PeopleStore {
  readonly persons: PersonStore;
  readonly apiTokens: ApiTokenStore;
  readonly sessions: SessionStore;
  readonly brake: SignInBrake;
}

export function openPeople({ redis, namespace }: { redis: RedisClient; namespace: string }): PeopleStore {
  const parts = { redis, keys: new PeopleKeys(namespace) };
  return {
    persons: openPersons(parts),
    apiTokens: openApiTokens(parts),
    sessions: openSessions(parts),
    brake: openSignInBrake(parts),
  };
}
