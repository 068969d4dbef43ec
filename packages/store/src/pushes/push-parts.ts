import type { RedisClient } from '../kit/redis';
import type { PushKeys } from './keys';

/** What the records of pushes are written with. */
export interface PushParts {
  readonly redis: RedisClient;
  readonly keys: PushKeys;
  /** Life of a push record after `done`. */
  readonly retentionMs: number;
  /** The same of a push that names its devices, or has few. */
  readonly addressedRetentionMs: number;
  /** Whether records may be packed: every process can read them. */
  mayPack(): boolean;
  /** What the outcomes of the audience pushes of one app may take; 0: none are kept. */
  readonly outcomeBytes: number;
}
