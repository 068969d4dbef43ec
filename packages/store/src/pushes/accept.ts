import { writeJson } from '@pushfleet/domain';
import type { PushKeys } from './keys';
import { each } from '../kit/lua/params';
import { luaScript } from '../kit/lua/script';
import type { NewPush } from './new-push';
import { openPlacing, type PlacedPush } from './place-pushes';
import type { PushParts } from './push-parts';
import { decodeText, encodeText } from './push-text';
import { NAMES } from './record-fields';

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

export function openAcceptPushes(parts: PushParts): AcceptPushes {
  const place = openPlacing();
  return async (pushes, now, onNamed) => {
    const accepted = new Array<AcceptedPush>(pushes.length);
    const groups = [...place(pushes, now)];
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

interface Group {
  readonly shard: number;
  readonly group: readonly PlacedPush[];
  readonly now: number;
}

async function writeGroup(parts: PushParts, { shard, group, now }: Group): Promise<readonly AcceptedPush[]> {
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
async function shareNotification({ redis, keys, retentionMs }: PushParts, { id, push, now }: Named): Promise<void> {
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
