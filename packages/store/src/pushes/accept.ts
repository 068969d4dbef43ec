import { randomBytes } from 'node:crypto';
import type { Audience, JsonObject, PushContent } from '@pushfleet/domain';
import { shardOf, SHARDS, type Keys } from '../keys';
import { runScript, type RedisClient } from '../redis';
import { acceptScript } from './scripts';

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
}

export interface AcceptedPush {
  /** Of the push that stands for this one: an earlier one when the req_id was repeated. */
  readonly pushId: string;
  readonly createdAt: number;
  readonly pushTime: number;
  /** The push still waits for its job. */
  readonly needsJob: boolean;
}

/** How long a req_id keeps its first answer (LeanCloud push REST guide: five minutes). */
const REQ_ID_MS = 5 * 60_000;
const ALPHABET = '0123456789abcdefghijklmnopqrstuv';

/** Fourteen random characters and two that tell the push shard. */
function newPushId(shard: number): string {
  const random = Array.from(randomBytes(14), (byte) => ALPHABET[byte & 31]).join('');
  return random + shard.toString(16).padStart(2, '0');
}

interface AcceptParts {
  readonly redis: RedisClient;
  readonly keys: Keys;
  /** Life of a push record after `done`. */
  readonly retentionMs: number;
}

/** Writes the records of one group commit, each shard's in one step; the answers are in the order given. */
export async function acceptPushes(
  { redis, keys, retentionMs }: AcceptParts,
  pushes: readonly NewPush[],
  now: number,
): Promise<readonly AcceptedPush[]> {
  const commitShard = randomBytes(1).readUInt8() % SHARDS;
  const byShard = new Map<number, number[]>();
  pushes.forEach(({ app, reqId }, index) => {
    const shard = reqId === undefined ? commitShard : shardOf(`${app}:${reqId}`);
    byShard.set(shard, [...(byShard.get(shard) ?? []), index]);
  });
  const accepted: AcceptedPush[] = [];
  await Promise.all(
    [...byShard].map(async ([shard, indexes]) => {
      const group = indexes.map((index) => ({ index, id: newPushId(shard), push: pushes[index] as NewPush }));
      await Promise.all(
        group.map(({ id, push }) => shareNotification({ redis, keys, retentionMs }, id, { push, now })),
      );
      const answers = (await runScript(redis, acceptScript, {
        keys: [
          keys.openPushes(shard),
          ...group.flatMap(({ id, push }) => [keys.pushRecord(id), claimKey(keys, id, push)]),
        ],
        args: [now, group.length, ...group.flatMap(({ id, push }) => encodePush(id, push, now))],
      })) as (readonly [string, string, number, string?])[];
      answers.forEach(([pushId, createdAt, needsJob, knownPushTime], i) => {
        const { index, push } = group[i] as (typeof group)[number];
        const pushTime = knownPushTime === undefined ? push.pushTime : Number(knownPushTime);
        accepted[index] = { pushId, createdAt: Number(createdAt), pushTime, needsJob: needsJob === 1 };
      });
    }),
  );
  return accepted;
}

const claimKey = (keys: Keys, id: string, { app, reqId }: NewPush): string =>
  reqId === undefined ? keys.pushRecord(id) : keys.requestClaim(app, reqId);

/** Several pushes may share a notification id; written first, so that no record is missing from the sum. */
async function shareNotification(
  { redis, keys, retentionMs }: AcceptParts,
  id: string,
  { push, now }: { push: NewPush; now: number },
): Promise<void> {
  if (push.notificationId === undefined) return;
  const key = keys.notification(push.app, push.notificationId);
  const lifeMs = Math.max(1, push.expiresAt - now) + retentionMs;
  await redis.sadd(key, id);
  await Promise.all([redis.pexpire(key, lifeMs, 'NX'), redis.pexpire(key, lifeMs, 'GT')]);
}

function encodePush(id: string, push: NewPush, now: number): readonly (string | number)[] {
  const fields: readonly (string | number)[] = [
    ...['app', push.app, 'state', 'accepted', 'status', push.isScheduled ? 'scheduled' : 'in-queue', 'prod', push.prod],
    ...[
      'content',
      JSON.stringify(push.content),
      'audience',
      JSON.stringify(push.audience),
      'where',
      JSON.stringify(push.where),
    ],
    ...['createdAt', now, 'updatedAt', now, 'pushTime', push.pushTime, 'expiresAt', push.expiresAt, 'open', 0],
    ...(push.notificationId === undefined ? [] : ['notificationId', push.notificationId]),
    ...(push.flowControl === undefined ? [] : ['flowControl', push.flowControl]),
  ];
  return [id, push.reqId === undefined ? 0 : REQ_ID_MS, fields.length, ...fields];
}
