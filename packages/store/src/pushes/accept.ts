import { randomInt } from 'node:crypto';
import { type Audience, type JsonObject, type PushContent, writeJson } from '@pushfleet/domain';
import { shardOf, SHARDS } from '../kit/shards';
import { shardOfPush, type PushKeys } from './keys';
import { each } from '../kit/lua/params';
import { luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';
import { openPushIds } from './push-ids';
import { decodeText, encodeText } from './push-text';
import { NAMES } from './record-fields';

/** A push as the ingress hands it over: checked, with every time in ms since the epoch. */
export interface NewPush {
  readonly app: string;
  readonly content: PushContent;
  readonly audience: Audience;
  readonly where: JsonObject;
  readonly prod: 'dev' | 'prod';
  readonly pushTime: number;
  readonly expiresAt: number;
  readonly isScheduled: boolean;
  readonly notificationId?: string | undefined;
  readonly reqId?: string | undefined;
  readonly flowControl?: number | undefined;
  readonly overBudget?: 'discard' | undefined;
  readonly isToDevices?: true | undefined;
  /** Taken for a scheduled push before it is accepted. */
  readonly place?: ScheduledPlace | undefined;
}

/** A place in the schedule of an app. */
export interface ScheduledPlace {
  /** Counted per app: what the API calls the scheduled push. */
  readonly number: number;
  readonly pushId: string;
}

export interface AcceptedPush {
  /** The accepted push, or the earlier push with the same req_id. */
  readonly pushId: string;
  readonly createdAt: number;
  readonly pushTime: number;
  /** The push still waits for its job. */
  readonly needsJob: boolean;
}

/**
 * Called, while the records are written, with the pushes that have no req_id and no schedule: their ids are final. The answers
 * wait for it.
 */
export type OnNamed = (pushIds: readonly string[]) => Promise<unknown>;

/** Writes the records of one group commit, each shard's in one step; the answers are in the order given. */
export type AcceptPushes = (
  pushes: readonly NewPush[],
  now: number,
  onNamed?: OnNamed,
) => Promise<readonly AcceptedPush[]>;

/** How long a req_id keeps its first answer (LeanCloud push REST guide: five minutes). */
const REQ_ID_MS = 300_000;
const NO_CLAIM = 0;

/**
 * How long new pushes go to one shard. Pushes of one shard share a script, and the shards take turns.
 */
const SHARD_TURN_MS = 100;

interface AcceptParts {
  readonly redis: RedisClient;
  readonly keys: PushKeys;
  /** Life of a push record after `done`. */
  readonly retentionMs: number;
}

interface Entry {
  readonly index: number;
  readonly id: string;
  readonly push: NewPush;
}

export function openAcceptPushes(parts: AcceptParts): AcceptPushes {
  const newPushId = openPushIds();
  const firstShard = randomInt(SHARDS);

  function groupByShard(pushes: readonly NewPush[], now: number): ReadonlyMap<number, readonly Entry[]> {
    const current = (firstShard + Math.floor(now / SHARD_TURN_MS)) % SHARDS;
    const byShard = new Map<number, Entry[]>();
    pushes.forEach((push, index) => {
      const shard = shardFor(push) ?? current;
      const entry = { index, id: push.place?.pushId ?? newPushId(shard), push };
      const group = byShard.get(shard);
      if (group) group.push(entry);
      else byShard.set(shard, [entry]);
    });
    return byShard;
  }

  return async (pushes, now, onNamed) => {
    const accepted = new Array<AcceptedPush>(pushes.length);
    const groups = [...groupByShard(pushes, now)];
    const entries = groups.flatMap(([, group]) => group);
    const shared = entries.filter(({ push }) => push.notificationId !== undefined);
    await Promise.all(shared.map(({ id, push }) => shareNotification(parts, { id, push, now })));
    const named = entries.filter(({ push }) => isFree(push)).map(({ id }) => id);
    const writes = groups.map(async ([shard, group]) => {
      const answers = await writeGroup(parts, { shard, group, now });
      group.forEach(({ index }, i) => (accepted[index] = answers[i] as AcceptedPush));
    });
    await Promise.all([...writes, named.length > 0 && onNamed?.(named)]);
    return accepted;
  };
}

const isFree = ({ reqId, isScheduled }: NewPush): boolean => reqId === undefined && !isScheduled;

/** The record of a push with a req_id stands in the slot of the claim. Undefined: any shard will do. */
export function shardFor({ app, reqId, place }: Pick<NewPush, 'app' | 'reqId' | 'place'>): number | undefined {
  if (place) return shardOfPush(place.pushId);
  return reqId === undefined ? undefined : shardOf(`${app}:${reqId}`);
}

interface Group {
  readonly shard: number;
  readonly group: readonly Entry[];
  readonly now: number;
}

async function writeGroup(parts: AcceptParts, { shard, group, now }: Group): Promise<readonly AcceptedPush[]> {
  const { redis, keys } = parts;
  const pushes = group.map(({ id, push }) => acceptedBy(keys, { id, push, now }));
  const answers = await writePushes(redis, { open: keys.openPushes(shard), now, pushes });
  return group.map(({ id, push }, i) => {
    const answer = answers[i];
    if (typeof answer === 'object') return repeated(answer, now);
    return { pushId: id, createdAt: now, pushTime: push.pushTime, needsJob: true };
  });
}

/** A number for a push that was written; for a repeated req_id the earlier push: id, whether it needs a job, text. */
type Answer = number | readonly [pushId: string, needsJob: number, text: string];

const writePushes = luaScript('pushes/accept', {
  params: {
    ...{ open: 'key', now: 'text' },
    pushes: each({
      ...{ record: 'key', claim: 'key', id: 'text', claimMs: 'text', app: 'text', status: 'text' },
      ...{ text: 'text', audience: 'text', where: 'text' },
    }),
  },
  constants: NAMES,
  answer: (answers: readonly Answer[]) => answers,
});

function repeated([pushId, needsJob, text]: Exclude<Answer, number>, now: number): AcceptedPush {
  const { createdAt, pushTime } = text === '' ? { createdAt: now, pushTime: now } : decodeText(text);
  return { pushId, createdAt, pushTime, needsJob: needsJob === 1 };
}

interface Named {
  readonly id: string;
  readonly push: NewPush;
  readonly now: number;
}

/** Several pushes may share a notification id. The id is written before the record, so that a sum misses no record. */
async function shareNotification({ redis, keys, retentionMs }: AcceptParts, { id, push, now }: Named): Promise<void> {
  const key = keys.notification(push.app, push.notificationId ?? '');
  const lifeMs = Math.max(1, push.expiresAt - now) + retentionMs;
  await redis.sadd(key, id);
  await Promise.all([redis.pexpire(key, lifeMs, 'NX'), redis.pexpire(key, lifeMs, 'GT')]);
}

function acceptedBy(keys: PushKeys, { id, push, now }: Named) {
  const { app, reqId, isScheduled, place } = push;
  const record = keys.pushRecord(id);
  return {
    record,
    claim: reqId === undefined ? record : keys.requestClaim(app, reqId),
    id,
    claimMs: reqId === undefined ? NO_CLAIM : REQ_ID_MS,
    app,
    status: isScheduled ? 'scheduled' : 'in-queue',
    text: encodeText({ ...push, createdAt: now, number: place?.number }),
    audience: writeJson(push.audience),
    where: writeJson(push.where),
  };
}
