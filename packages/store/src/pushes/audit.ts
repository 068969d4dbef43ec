import type { PushKeys } from './keys';
import { luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';
import { decodeText } from './push-text';
import { NAMES } from './record-fields';

/** Where work of a push is left: the kind of queue, and the channel of its books. */
export interface WorkLeft {
  readonly channel: string;
  readonly queue: 'direct' | 'bulk';
}

/** One push as its watcher sees it, taken at one moment. */
export interface AuditedPush {
  /** From when on its devices wait: when it was accepted, or the time it was scheduled for. */
  readonly waitsSince: number;
  readonly state: 'scheduled' | 'accepted' | 'dispatched' | 'done';
  readonly work: readonly WorkLeft[];
  /** By channel, the devices that it was planned for and that have no verdict yet. */
  readonly devicesLeft: Readonly<Record<string, number>>;
  /** Every column says matched = accepted + discarded + failed + outstanding, and nothing is left once it is done. */
  readonly addsUp: boolean;
}

/** Looks at push records from outside, to tell how the fleet is doing. */
export interface PushAudit {
  /** Ids of open pushes of one push shard, those looked at longest ago first. */
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

/** A push that cannot be read waits since ever. */
function pushTimeIn(text: string): number {
  try {
    return decodeText(text).pushTime;
  } catch {
    return 0;
  }
}
