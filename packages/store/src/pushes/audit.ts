import type { PushKeys } from './keys';
import { luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';
import { decodeText } from './push-text';
import { NAMES } from './record-fields';

/** A queue with work of a push: its kind, and the channel in the books. */
export interface WorkLeft {
  readonly channel: string;
  readonly queue: 'direct' | 'bulk';
}

/** One push at one moment, for the watcher of the fleet. */
export interface AuditedPush {
  /** Since when the devices wait: since the push was accepted, or since the time it was scheduled for. */
  readonly waitsSince: number;
  readonly state: 'scheduled' | 'accepted' | 'dispatched' | 'done';
  readonly work: readonly WorkLeft[];
  /** By channel, the planned devices without a verdict. */
  readonly devicesLeft: Readonly<Record<string, number>>;
  /** For every channel, matched = accepted + discarded + failed + outstanding, and nothing is outstanding once the push is done. */
  readonly addsUp: boolean;
}

/** Reads push records for the watcher of the fleet. */
export interface PushAudit {
  /** Ids of open pushes of one push shard; the ones that the re-driver looked at longest ago come first. */
  openIds(shard: number, limit: number): Promise<readonly string[]>;
  /** Ids of the pushes that an app dispatched last. */
  recentIds(app: string, limit: number): Promise<readonly string[]>;
  /** Undefined when the record is gone. */
  look(pushId: string): Promise<AuditedPush | undefined>;
}

/** Text of the push, state, whether the books add up, queue of the stored pages; then what and channel in turns. */
type Look = readonly [text: string, state: AuditedPush['state'], addsUp: number, pages: string, ...parts: string[]];

const look = luaScript('pushes/look', {
  params: { record: 'key', ledger: 'key' },
  constants: NAMES,
  answer: (found: readonly unknown[]) => (found.length === 0 ? undefined : auditedPush(found as unknown as Look)),
});

export function openPushAudit({ redis, keys }: { redis: RedisClient; keys: PushKeys }): PushAudit {
  return {
    openIds: (shard, limit) => redis.zrange(keys.openPushes(shard), '0', String(limit - 1)),
    recentIds: (app, limit) => redis.zrevrange(keys.pushesOf(app), '0', String(limit - 1)),
    look: (pushId) => look(redis, { record: keys.pushRecord(pushId), ledger: keys.ledger(pushId) }),
  };
}

function auditedPush([text, state, addsUp, pages, ...parts]: Look): AuditedPush {
  const work: WorkLeft[] = [];
  const devicesLeft: Record<string, number> = {};
  for (let i = 0; i < parts.length; i += 2) {
    const [part = '', channel = ''] = parts.slice(i, i + 2);
    if (part === 'lane') work.push({ channel, queue: 'bulk' });
    else if (part === 'page') work.push({ channel, queue: pages === 'direct' ? 'direct' : 'bulk' });
    else devicesLeft[channel] = Number(part);
  }
  return { waitsSince: pushTimeIn(text), state, work, devicesLeft, addsUp: addsUp === 1 };
}

/** A push that cannot be read counts as waiting since the epoch. */
function pushTimeIn(text: string): number {
  try {
    return decodeText(text).pushTime;
  } catch {
    return 0;
  }
}
