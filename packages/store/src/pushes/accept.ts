import { LIMITS, writeJson } from '@pushfleet/domain';
import { Cluster } from 'ioredis';
import type { PushKeys } from './keys';
import { each } from '../kit/lua/params';
import { luaScript } from '../kit/lua/script';
import { REQ_ID_MS } from '../kit/req-id';
import { plannedParts } from './ledger';
import { addToLists } from './list';
import type { NewPush } from './new-push';
import { openPlacing, type PlacedPush } from './place-pushes';
import type { PushParts } from './push-parts';
import { decodeText, encodeText } from './push-text';
import { readFields } from './read-fields';
import { NAMES, RECORD } from './record-fields';

export interface AcceptedPush {
  /** The accepted push, or the earlier push with the same req_id. */
  readonly pushId: string;
  readonly createdAt: number;
  readonly pushTime: number;
  /** The push still waits for its job. */
  readonly needsJob: boolean;
  /** The earlier push was cancelled: nothing more is sent of it. */
  readonly isCancelled?: true;
}

/** A push and the id that it has from now on. */
export interface NamedPush {
  readonly pushId: string;
  readonly push: NewPush;
}

/**
 * Called, while the records are written, with the pushes that have no req_id and no schedule: their ids are final. The answers
 * wait for it.
 */
export type OnNamed = (named: readonly NamedPush[]) => Promise<unknown>;

/** Writes the records of one group commit, each shard's in one step; the answers are in the order given. */
export type AcceptPushes = (
  pushes: readonly NewPush[],
  now: number,
  onNamed?: OnNamed,
) => Promise<readonly AcceptedPush[]>;

const NO_CLAIM = 0;

export function openAcceptPushes(parts: PushParts): AcceptPushes {
  const place = openPlacing();
  return async (pushes, now, onNamed) => {
    const accepted = new Array<AcceptedPush>(pushes.length);
    const groups = [...place(pushes, now)];
    const entries = groups.flatMap(([, group]) => group);
    const shared = entries.filter(({ push }) => push.notificationId !== undefined);
    await Promise.all(shared.map(({ id, push }) => shareNotification(parts, { id, push, now })));
    const named = entries.filter(({ push }) => isFree(push)).map(({ id, push }) => ({ pushId: id, push }));
    // In front of the records: no push that is sent is missing from the list of its app.
    const listed = listPlanned(parts, named, now);
    // The node of one app may fail alone: nothing is sent then of pushes that all their senders repeat.
    if (parts.redis instanceof Cluster) await listed;
    const writes = groups.map(async ([shard, group]) => {
      const answers = await writeGroup(parts, { shard, group, now });
      group.forEach(({ index }, i) => (accepted[index] = answers[i] as AcceptedPush));
    });
    await Promise.all([listed, ...writes, named.length > 0 && onNamed?.(named)]);
    const repeats = shared.filter(({ index, id }) => accepted[index]?.pushId !== id);
    await Promise.all(repeats.map((repeat) => unshareNotification(parts, repeat)));
    return accepted;
  };
}

const isFree = ({ reqId, isScheduled }: NewPush): boolean => reqId === undefined && !isScheduled;

/** The others are listed by the dispatcher that plans them. */
function listPlanned(parts: PushParts, named: readonly NamedPush[], createdAt: number): Promise<unknown> {
  const planned = named.filter(({ push }) => push.plan !== undefined);
  const entries = planned.map(({ pushId, push: { app, service } }) => ({ pushId, app, service, createdAt }));
  return addToLists(parts, entries);
}

interface Group {
  readonly shard: number;
  readonly group: readonly PlacedPush[];
  readonly now: number;
}

async function writeGroup(parts: PushParts, { shard, group, now }: Group): Promise<readonly AcceptedPush[]> {
  const { redis, keys } = parts;
  const pushes = group.map(({ id, push }) => acceptedBy(keys, { id, push, now }));
  const answers = await writePushes(redis, {
    open: keys.openPushes(shard),
    total: keys.totals(shard),
    now,
    pushes,
  });
  return Promise.all(
    group.map(({ id, push }, i) => {
      const answer = answers[i];
      if (typeof answer === 'object') return repeated(parts, answer, now);
      return { pushId: id, createdAt: now, pushTime: push.pushTime, needsJob: true };
    }),
  );
}

/** A number for a push that was written; for a repeated req_id what is known of the earlier push. */
type Answer = number | readonly [pushId: string, needsJob: number, isCancelled: number, text: string];

const writePushes = luaScript('pushes/accept', {
  params: {
    open: 'key',
    total: 'key',
    now: 'text',
    pushes: each({
      record: 'key',
      ledger: 'key',
      claim: 'key',
      id: 'text',
      claimMs: 'text',
      app: 'text',
      status: 'text',
      text: 'text',
      audience: 'text',
      where: 'text',
      keepMs: 'text',
      parts: 'text',
      devices: 'text',
      counters: 'texts',
      entries: 'texts',
    }),
  },
  constants: NAMES,
  answer: (answers: readonly Answer[]) => answers,
});

async function repeated(
  { redis, keys }: PushParts,
  [pushId, needsJob, isCancelled, known]: Exclude<Answer, number>,
  now: number,
): Promise<AcceptedPush> {
  const packed = known === '' ? await readFields({ redis, keys }, pushId) : { [RECORD.push]: known };
  const text = packed[RECORD.push];
  const { createdAt, pushTime } = text === undefined ? { createdAt: now, pushTime: now } : decodeText(text);
  const wasCancelled = isCancelled === 1 || packed[RECORD.cancelled] !== undefined;
  return { pushId, createdAt, pushTime, needsJob: needsJob === 1, ...(wasCancelled ? { isCancelled: true } : {}) };
}

interface Named {
  readonly id: string;
  readonly push: NewPush;
  readonly now: number;
}

/** Several pushes may share a notification id. The id is written before the record, so that a sum misses no record. */
async function shareNotification(parts: PushParts, { id, push, now }: Named): Promise<void> {
  const { redis, keys, retentionMs, addressedRetentionMs } = parts;
  const key = notificationKey(keys, push);
  const openMs = Math.min(push.expiresAt - now, Math.max(0, push.pushTime - now) + LIMITS.notificationIdMs.value);
  const lifeMs = Math.max(1, openMs) + Math.max(retentionMs, addressedRetentionMs);
  await redis.zadd(key, now, id);
  await Promise.all([
    redis.zremrangebyrank(key, 0, -LIMITS.sharedNotificationId.value - 1),
    redis.pexpire(key, lifeMs, 'NX'),
    redis.pexpire(key, lifeMs, 'GT'),
  ]);
}

/** Takes back the id of a push that turned out to be another, or repeats would push out those that are there. */
const unshareNotification = ({ redis, keys }: PushParts, { id, push }: Omit<Named, 'now'>): Promise<unknown> =>
  redis.zrem(notificationKey(keys, push), id);

const notificationKey = (keys: PushKeys, { app, notificationId = '', by }: NewPush): string =>
  keys.notification(app, notificationId, by);

const UNPLANNED = { parts: 0, devices: 0, counters: [], entries: [] };

/** Who has a req_id may turn out to be another push, and a scheduled push is planned when its time comes. */
const planOf = (push: NewPush) => (push.plan !== undefined && isFree(push) ? plannedParts(push.plan) : UNPLANNED);

function acceptedBy(keys: PushKeys, { id, push, now }: Named) {
  const { app, reqId, by, isScheduled, place } = push;
  const record = keys.pushRecord(id);
  return {
    record,
    ledger: keys.ledger(id),
    claim: reqId === undefined ? record : keys.requestClaim(app, reqId, by),
    id,
    claimMs: reqId === undefined ? NO_CLAIM : REQ_ID_MS,
    app,
    status: isScheduled ? 'scheduled' : 'in-queue',
    text: encodeText({ createdAt: now, number: place?.number, ...push }),
    audience: writeJson(push.audience),
    where: writeJson(push.where),
    keepMs: push.keepMs ?? '',
    ...planOf(push),
  };
}
