import {
  adviceFor,
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
import type { RedisClient } from '../redis';

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
  toSend(pushId: string): Promise<PushToSend | undefined>;
  read(pushId: string): Promise<PushRecord | undefined>;
  /** By push id or by the notification id that the sender chose; all that share it. */
  find(app: string, id: string): Promise<readonly PushRecord[]>;
  /** The vendor's verdict on one installation, when one was kept. */
  verdict(pushId: string, objectId: string): Promise<DeviceVerdict | undefined>;
  /** Newest first. */
  list(app: string, range: { limit: number; skip: number }): Promise<readonly PushRecord[]>;
  /** Makes a dispatched push findable by its app. */
  index(app: string, pushId: string, createdAt: number): Promise<void>;
  /** Open pushes that were last looked at before `before`, in one push shard. */
  open(shard: number, before: number, limit: number): Promise<readonly string[]>;
  /** Notes that an open push was looked at; a push that closed meanwhile stays out. */
  touch(pushId: string, now: number): Promise<void>;
}

/** Pushes an app can list. */
const MAX_LISTED = 10_000;

export function openPushRecords({ redis, keys }: { redis: RedisClient; keys: Keys }): PushRecords {
  const read = async (pushId: string): Promise<PushRecord | undefined> => {
    const fields = await redis.hgetall(keys.pushRecord(pushId));
    return fields['app'] === undefined ? undefined : decodeRecord(pushId, fields);
  };
  const readAll = async (ids: readonly string[]): Promise<readonly PushRecord[]> =>
    (await Promise.all(ids.map(read))).filter((record) => record !== undefined);
  return {
    read,
    async toSend(pushId) {
      const fields = await redis.hmget(keys.pushRecord(pushId), ...SEND_FIELDS);
      return typeof fields[0] === 'string' ? decodePush(pushId, fields) : undefined;
    },
    async find(app, id) {
      const record = /^[0-9a-z]{14}[0-9a-f]{2}$/.test(id) ? await read(id) : undefined;
      if (record?.app === app) return [record];
      const records = await readAll(await redis.smembers(keys.notification(app, id)));
      return records.filter((found) => found.app === app);
    },
    async verdict(pushId, objectId) {
      const text = await redis.hget(keys.verdicts(pushId), objectId);
      return text === null ? undefined : (JSON.parse(text) as DeviceVerdict);
    },
    list: async (app, { limit, skip }) =>
      limit > 0 ? readAll(await redis.zrevrange(keys.pushesOf(app), skip, skip + limit - 1)) : [],
    async index(app, pushId, createdAt) {
      await redis.zadd(keys.pushesOf(app), createdAt, pushId);
      if (Math.random() < 0.01) await redis.zremrangebyrank(keys.pushesOf(app), 0, -MAX_LISTED - 1);
    },
    open: (shard, before, limit) => redis.zrangebyscore(keys.openPushes(shard), '-inf', before, 'LIMIT', 0, limit),
    touch: async (pushId, now) => void (await redis.zadd(keys.openPushes(shardOfPush(pushId)), 'XX', now, pushId)),
  };
}

export const ALL_PUSH_SHARDS: readonly number[] = Array.from({ length: SHARDS }, (_, shard) => shard);

const SEND_FIELDS = [
  'app',
  'content',
  'audience',
  'state',
  'cancelled',
  'pushTime',
  'expiresAt',
  'createdAt',
  'flowControl',
];

function decodePush(pushId: string, fields: readonly (string | null)[]): PushToSend {
  const [app, content, audience, state, cancelled, pushTime, expiresAt, createdAt, flowControl] = fields;
  return {
    pushId,
    app: app ?? '',
    content: JSON.parse(content ?? '{}') as PushContent,
    audience: JSON.parse(audience ?? '{}') as Audience,
    isDispatched: state !== 'accepted',
    isCancelled: typeof cancelled === 'string',
    pushTime: Number(pushTime),
    expiresAt: Number(expiresAt),
    createdAt: Number(createdAt),
    ...(typeof flowControl === 'string' ? { flowControl: Number(flowControl) } : {}),
  };
}

type Fields = Readonly<Record<string, string>>;

function decodeRecord(pushId: string, fields: Fields): PushRecord {
  return {
    objectId: pushId,
    app: fields['app'] ?? '',
    notificationId: fields['notificationId'] ?? pushId,
    status: (fields['status'] ?? 'in-queue') as PushStatus,
    prod: fields['prod'] === 'dev' ? 'dev' : 'prod',
    msg: messageOf(JSON.parse(fields['content'] ?? '{}') as PushContent),
    where: JSON.parse(fields['where'] ?? '{}') as JsonObject,
    createdAt: Number(fields['createdAt']),
    updatedAt: Number(fields['updatedAt']),
    pushTime: Number(fields['pushTime']),
    expiresAt: Number(fields['expiresAt']),
    channels: decodeBooks(fields),
    errors: decodeErrors(fields),
  };
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
