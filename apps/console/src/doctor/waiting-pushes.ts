import { ALL_SHARDS, type AuditedPush, type Store } from '@pushfleet/store';
import { ok, problem, warning, type Check } from './check';

/** Looked at per shard of records; the push that waits longest is among those looked at longest ago. */
const LOOKED_AT = 4;
/** A push is planned in milliseconds; the re-driver brings back a lost one within half a minute. */
const PLAN_PATIENCE_MS = 60_000;
/** Sending may be paced on purpose, so that a long wait is worth a look, but not wrong in itself. */
const SEND_PATIENCE_MS = 15 * 60_000;

interface Late {
  readonly pushId: string;
  readonly push: AuditedPush;
  readonly waitedMs: number;
}

/** Pushes that do not get on, and the channel that holds them. */
export async function waitingPushChecks({ audit }: Pick<Store, 'audit'>, now: number): Promise<readonly Check[]> {
  const ids = (await Promise.all(ALL_SHARDS.map((shard) => audit.openIds(shard, LOOKED_AT)))).flat();
  const looked = await Promise.all(ids.map(async (pushId) => ({ pushId, push: await audit.look(pushId) })));
  const due = looked.flatMap(({ pushId, push }): readonly Late[] =>
    push === undefined || push.state === 'done' ? [] : [{ pushId, push, waitedMs: now - push.waitsSince }],
  );
  const late = [unplanned(due), ...slowChannels(due)].filter((check) => check !== undefined);
  return late.length > 0 ? late : [ok({ check: 'pushes-waiting', subject: '' }, 'no push waits for long')];
}

function unplanned(due: readonly Late[]): Check | undefined {
  const late = due.filter(({ push, waitedMs }) => push.state !== 'dispatched' && waitedMs > PLAN_PATIENCE_MS);
  const found = oldestOf(late);
  if (found === undefined) return undefined;
  const advice = 'look at the log of the dispatchers';
  return { check: 'pushes-waiting', subject: 'dispatcher', ...problem(found, advice) };
}

function slowChannels(due: readonly Late[]): readonly Check[] {
  const late = due.filter(({ push, waitedMs }) => push.state === 'dispatched' && waitedMs > SEND_PATIENCE_MS);
  const channels = new Set(late.flatMap(({ push }) => push.work.map(({ channel }) => channel)));
  return [...channels].sort().map((channel) => {
    const held = late.filter(({ push }) => push.work.some((work) => work.channel === channel));
    const advice = `see \`pushfleet channels list\`: is ${channel} paused, its breaker open, or its budget too small?`;
    return { check: 'pushes-waiting', subject: channel, ...warning(oldestOf(held) ?? '', advice) };
  });
}

function oldestOf(late: readonly Late[]): string | undefined {
  const [oldest] = [...late].sort((one, other) => other.waitedMs - one.waitedMs);
  if (!oldest) return undefined;
  const others = late.length > 1 ? `, and ${late.length - 1} or more others` : '';
  return `push ${oldest.pushId} has waited for ${Math.round(oldest.waitedMs / 60_000)} min${others}`;
}
