import type { RedisClient } from '../kit/redis';
import type { PushKeys } from './keys';

/** What the records of pushes are written with. */
export interface PushParts {
  readonly redis: RedisClient;
  readonly keys: PushKeys;
  /** Life of a push record after `done`. */
  readonly retentionMs: number;
}
