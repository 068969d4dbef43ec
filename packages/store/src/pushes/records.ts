import {
  adviceFor,
  OWN_CHANNEL,
  type Audience,
  type ChannelBooks,
  type JsonObject,
  type PushContent,
  type PushRecord,
  type PushStatus,
  type Reason,
  type RecordedError,
} from '@pushfleet/domain';
import { shardOfPush, SHARDS, type Keys } from '../keys';
import { runScript, type RedisClient } from '../redis';
import { listedIds, type ListRange } from './list';
import { isPushId } from './push-ids';
import { decodeAudience, decodeText } from './push-text';
import { keepResolvedAudience, RESOLVED_AUDIENCE } from './resolved-audience';
import { cancelScript } from './scripts';

/** What dispatcher and workers need to know of a push. */
export interface PushToSend {
  readonly pushId: string;
  readonly app: string;
  readonly content: PushContent;
  readonly audience: Audience;
  readonly isDispatched: boolean;
  readonly isCancelled: boolean;
  readonly pushTime: number;
  readonly expiresAt: number;
  readonly createdAt: number;
  readonly flowControl?: number;
}

export interface DeviceVerdict {
  readonly channel: string;
  readonly outcome: 'discarded' | 'failed';
  readonly reason: Reason;
  readonly vendorCode?: string;
  readonly vendorMessage?: string;
}

export interface PushRecords {
  /** Its audience is the resolved one as soon as that is kept. */
  toSend(pushId: string): Promise<PushToSend | undefined>;
  /** Keeps the audience whose sub-queries are answered; resolves with what was kept first. */
  keepResolved(pushId: string, audience: Audience): Promise<Audience>;
  read(pushId: string): Promise<PushRecord | undefined>;
  /** By push id or by the notification id that the sender chose; all that share it. */
  find(app: string, id: string): Promise<readonly PushRecord[]>;
  /** The vendor's verdict on one installation, when one was kept. */
  verdict(pushId: string, objectId: string): Promise<DeviceVerdict | undefined>;
  /** Newest first. */
  list(app: string, range: ListRange): Promise<readonly PushRecord[]>;
  /** False when it was cancelled before, or does not exist. */
  cancel(pushId: string, now: number): Promise<boolean>;
  /** Makes a dispatched push findable by its app. */
  index(app: string, pushId: string, createdAt: number): Promise<void>;
  /** Open pushes that were last looked at before `before`, in one push shard. */
  open(shard: number, before: number, limit: number): Promise<readonly string[]>;
  /** Notes that an open push was looked at; a push that closed meanwhile stays out. */
  touch(pushId: string, now: number): Promise<void>;
}

/** Pushes an app can list. */
const MAX_LISTED = 10_000;

interface RecordParts {
  readonly redis: RedisClient;
  readonly keys: Keys;
  /** Life of a push record after `done`. */
  readonly retentionMs: number;
  readonly now: () => number;
}

export function openPushRecords({ redis, keys, retentionMs, now }: RecordParts): PushRecords {
  const read = async (pushId: string): Promise<PushRecord | undefined> => {
    const fields = await redis.hgetall(keys.pushRecord(pushId));
    return fields['app'] === undefined ? undefined : lapse(decodeRecord(pushId, fields), now());
  };
  const readAll = async (ids: readonly string[]): Promise<readonly PushRecord[]> =>
    (await Promise.all(ids.map(read))).filter((record) => record !== undefined);
  return {
    read,
    async toSend(pushId) {
      const fields = await redis.hmget(keys.pushRecord(pushId), ...SEND_FIELDS);
      return typeof fields[0] === 'string' ? decodePush(pushId, fields) : undefined;
    },
    keepResolved: (pushId, audience) => keepResolvedAudience({ redis, keys }, pushId, audience),
    async find(app, id) {
      const record = isPushId(id) ? await read(id) : undefined;
      if (record?.app === app) return [record];
      const records = await readAll(await redis.smembers(keys.notification(app, id)));
      return records.filter((found) => found.app === app);
    },
    async verdict(pushId, objectId) {
      const text = await redis.hget(keys.verdicts(pushId), objectId);
      return text === null ? undefined : (JSON.parse(text) as DeviceVerdict);
    },
    list: async (app, range) => readAll(await listedIds({ redis, keys }, app, range)),
    async cancel(pushId, now) {
      const script = {
        keys: [keys.pushRecord(pushId), keys.openPushes(shardOfPush(pushId))],
        args: [pushId, now, retentionMs],
      };
      return (await runScript(redis, cancelScript, script)) === 1;
    },
    async index(app, pushId, createdAt) {
      await redis.zadd(keys.pushesOf(app), createdAt, pushId);
      if (Math.random() < 0.01) await redis.zremrangebyrank(keys.pushesOf(app), 0, -MAX_LISTED - 1);
    },
    open: (shard, before, limit) => redis.zrangebyscore(keys.openPushes(shard), '-inf', before, 'LIMIT', 0, limit),
    touch: async (pushId, now) => void (await redis.zadd(keys.openPushes(shardOfPush(pushId)), 'XX', now, pushId)),
  };
}

export const ALL_PUSH_SHARDS: readonly number[] = Array.from({ length: SHARDS }, (_, shard) => shard);

const SEND_FIELDS = ['app', 'push', 'audience', 'state', 'cancelled', RESOLVED_AUDIENCE];

function decodePush(pushId: string, fields: readonly (string | null)[]): PushToSend {
  const [app, push, audience, state, cancelled, resolved] = fields;
  const { content, pushTime, expiresAt, createdAt, flowControl } = decodeText(push ?? '{}');
  return {
    ...{ pushId, app: app ?? '', content },
    audience:
      typeof resolved === 'string' ? (JSON.parse(resolved) as Audience) : decodeAudience(audience ?? '{}').audience,
    isDispatched: state !== 'accepted',
    isCancelled: typeof cancelled === 'string',
    ...{ pushTime, expiresAt, createdAt },
    ...(flowControl === undefined ? {} : { flowControl }),
  };
}

type Fields = Readonly<Record<string, string>>;

function decodeRecord(pushId: string, fields: Fields): PushRecord {
  const { content, prod, notificationId = pushId, ...text } = decodeText(fields['push'] ?? '{}');
  return {
    ...{ objectId: pushId, app: fields['app'] ?? '', notificationId, prod },
    status: (fields['status'] ?? 'in-queue') as PushStatus,
    ...(fields['cancelled'] === undefined ? {} : { isCancelled: true }),
    msg: messageOf(content),
    where: decodeAudience(fields['audience'] ?? '{}').where,
    ...{ createdAt: text.createdAt, pushTime: text.pushTime, expiresAt: text.expiresAt },
    ...(text.number === undefined ? {} : { number: text.number }),
    updatedAt: Number(fields['updatedAt']),
    channels: decodeBooks(fields),
    errors: decodeErrors(fields),
  };
}

/** What no device of the own channel confirmed while the push lived, none ever will. */
function lapse(record: PushRecord, now: number): PushRecord {
  const own = record.channels[OWN_CHANNEL];
  if (!own || record.expiresAt > now) return record;
  const lapsed = Math.max(own.lapsed, own.accepted - own.delivered);
  return { ...record, channels: { ...record.channels, [OWN_CHANNEL]: { ...own, lapsed } } };
}

const messageOf = ({ data, sections }: PushContent): JsonObject => ({ ...data, ...sections });

const NO_BOOKS: ChannelBooks = {
  ...{ expected: 0, matched: 0, accepted: 0, delivered: 0, lapsed: 0, clicked: 0, truncated: 0 },
  discarded: {},
  failed: {},
  outstanding: 0,
};

function decodeBooks(fields: Fields): Readonly<Record<string, ChannelBooks>> {
  const channels: Record<string, ChannelBooks> = {};
  for (const [name, value] of Object.entries(fields)) {
    const [kind, channel = '', counter = ''] = name.split('|');
    if (kind === 'c') channels[channel] = withCounter(channels[channel] ?? NO_BOOKS, counter, Number(value));
  }
  return channels;
}

function withCounter(books: ChannelBooks, counter: string, value: number): ChannelBooks {
  if (counter.startsWith('d:')) return { ...books, discarded: { ...books.discarded, [counter.slice(2)]: value } };
  if (counter.startsWith('f:')) return { ...books, failed: { ...books.failed, [counter.slice(2)]: value } };
  return { ...books, [counter]: value };
}

function decodeErrors(fields: Fields): readonly RecordedError[] {
  return Object.entries(fields).flatMap(([name, count]) => {
    if (!name.startsWith('n|')) return [];
    const key = name.slice(2);
    const [channel = '', reason = '', ...code] = key.split('|');
    const vendorCode = code.join('|');
    const vendorMessage = fields[`m|${key}`];
    return {
      channel,
      reason,
      count: Number(count),
      ...(vendorCode === '' ? {} : { vendorCode }),
      ...(vendorMessage === undefined ? {} : { vendorMessage }),
      action: adviceFor(reason as Reason),
      samples: (fields[`s|${key}`] ?? '').split(' ').filter((id) => id !== ''),
    };
  });
}
