import type { PushKeys } from './keys';
import type { RedisClient } from '../kit/redis';
import { ALL_SHARDS } from '../kit/shards';
import type { PushAudit } from './audit';
import { RECORD } from './record-fields';

/** Which open pushes are counted. */
export interface WorkScope {
  readonly channel: string;
  /** Absent: the pushes of every app. */
  readonly app?: string | undefined;
  /** Only pushes whose time has come by then; absent: all accepted pushes. */
  readonly until?: number;
}

export interface OpenWork {
  /** Pushes with work on the channel, or not planned yet. */
  readonly pushes: number;
  /** Devices of the channel that were found for them and have no verdict. */
  readonly devices: number;
  /** False: there are more open pushes than were counted. */
  readonly isComplete: boolean;
}

/** Counts what a channel has left to do; `enough` ends the count early. */
export type CountOpenWork = (scope: WorkScope, enough?: number) => Promise<OpenWork>;

/** Open pushes of one push shard that are looked at. */
const MOST_PER_SHARD = 1000;
const AT_ONCE = 100;

interface Parts {
  readonly redis: RedisClient;
  readonly keys: PushKeys;
  readonly audit: Pick<PushAudit, 'openIds' | 'look'>;
}

export function openWorkCount({ redis, keys, audit }: Parts): CountOpenWork {
  const devicesOf = async (
    pushId: string,
    { channel, app, until = Infinity }: WorkScope,
  ): Promise<number | undefined> => {
    if (app !== undefined && (await redis.hget(keys.pushRecord(pushId), RECORD.app)) !== app) return undefined;
    const push = await audit.look(pushId);
    if (push === undefined || push.waitsSince > until) return undefined;
    if (push.state === 'accepted') return 0;
    const isHere = push.state === 'dispatched' && push.work.some((work) => work.channel === channel);
    return isHere ? (push.devicesLeft[channel] ?? 0) : undefined;
  };
  return async (scope, enough = Infinity) => {
    let [pushes, devices, isComplete] = [0, 0, true];
    for (const shard of ALL_SHARDS) {
      if (pushes >= enough) break;
      const ids = await audit.openIds(shard, MOST_PER_SHARD);
      isComplete &&= ids.length < MOST_PER_SHARD;
      for (let from = 0; from < ids.length && pushes < enough; from += AT_ONCE) {
        const found = await Promise.all(ids.slice(from, from + AT_ONCE).map((pushId) => devicesOf(pushId, scope)));
        const here = found.filter((count) => count !== undefined);
        pushes += here.length;
        devices += here.reduce((total, count) => total + count, 0);
      }
    }
    return { pushes, devices, isComplete };
  };
}
