import type { RedisClient } from '../kit/redis';
import type { SecretBox } from '../kit/sealed-text';
import type { AccountKeys } from './keys';

/** What the stores of apps, profiles and access tokens need. */
export interface AccountParts {
  readonly redis: RedisClient;
  readonly keys: AccountKeys;
  readonly secrets: SecretBox;
  readonly now: () => number;
  /** Registers what is to be forgotten when another process changed settings. */
  readonly onSettings: (forget: () => void) => void;
}
