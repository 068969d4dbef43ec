import type { PacingKeys } from './keys';
import type { RedisClient } from '../kit/redis';
import type { AppProfile } from './app-profile';
import { openWorkerReports, type WorkerReports } from './worker-reports';

/** How many calls of a profile one worker allows at once. */
export interface CallsAllowed extends AppProfile {
  readonly queue: 'direct' | 'bulk';
  readonly allowed: number;
  /** Of a call while the vendor is not pressed; absent before the first has ended. */
  readonly latencyMs?: number;
}

export type CallLimitStore = WorkerReports<CallsAllowed>;

export const openCallLimits = ({ redis, keys }: { redis: RedisClient; keys: PacingKeys }): CallLimitStore =>
  openWorkerReports(redis, (channel) => keys.callLimits(channel));
