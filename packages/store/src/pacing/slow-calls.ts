import type { PacingKeys } from './keys';
import type { RedisClient } from '../kit/redis';
import type { PushOfProfile } from './push-holds';
import { openWorkerReports, type WorkerReports } from './worker-reports';

/** Devices of a push whose vendor was called a while ago and has not answered. */
export interface SlowCalls extends PushOfProfile {
  readonly devices: number;
  /** The last of the calls ends by then, milliseconds since the epoch. */
  readonly until: number;
}

export type SlowCallStore = WorkerReports<SlowCalls>;

export const openSlowCalls = ({ redis, keys }: { redis: RedisClient; keys: PacingKeys }): SlowCallStore =>
  openWorkerReports(redis, (channel) => keys.slowCalls(channel));
