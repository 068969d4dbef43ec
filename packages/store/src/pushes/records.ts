import {
  adviceFor,
  type Audience,
  audienceOf,
  type ChannelBooks,
  COUNTED_RECEIPTS,
  isFailureReason,
  type JsonObject,
  OWN_CHANNEL,
  type PushContent,
  type PushRecord,
  type PushStatus,
  readJson,
  type Reason,
  type RecordedError,
  type RecordedWarning,
  type StoredPage,
} from '@pushfleet/domain';
import { shardOfPush, SHARDS } from '../keys';
import { runScript } from '../redis';
import { estimateIn } from '../pacing/estimates';
import { NOTE } from './books';
import { openBookKeeping, type BookKeepingParts } from './book-keeping';
import { listedIds, type ListRange } from './list';
import { isPushId } from './push-ids';
import { decodeText } from './push-text';
import { keepResolvedAudience, RESOLVED_AUDIENCE } from './resolved-audience';
import { perShard } from './per-shard';
import { cancelScript, fieldsScript, pagesScript, VERDICTS_CUT } from './scripts';
import { readingPush } from './unreadable-push';

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
  readonly overBudget?: 'discard';
}

export interface PushWithPage {
  readonly push: PushToSend;
  readonly page: StoredPage | undefined;
}

export interface DeviceVerdict {
  readonly channel: string;
  readonly outcome: 'discarded' | 'failed';
  readonly reason: Reason;
  readonly vendorCode?: string;
  readonly vendorMessage?: string;
}

export interface PushRecords {
  /** Its audience is the resolved one as soon as that is kept. Rejects with `UnreadablePush` what no try will read. */
  toSend(pushId: string): Promise<PushToSend | undefined>;
  /** The same together with one page of its plan, as of one moment; no page when it is folded, or not planned yet. */
  withPage(pushId: string, page: number): Promise<PushWithPage | undefined>;
  /** Keeps the audience whose sub-queries are answered; resolves with what was kept first. */
  keepResolved(pushId: string, audience: Audience): Promise<Audience>;
  read(pushId: string): Promise<PushRecord | undefined>;
  /** By push id or by the notification id that the sender chose; all that share it. */
  find(app: string, id: string): Promise<readonly PushRecord[]>;
  /** The verdict on one installation, or on an address that the push names, when one was kept. */
  verdict(pushId: string, objectId: string): Promise<DeviceVerdict | undefined>;
  /** Newest first. */
  list(app: string, range: ListRange): Promise<readonly PushRecord[]>;
  /** False when it was cancelled before, or does not exist. */
  cancel(pushId: string, now: number): Promise<boolean>;
  /** Makes dispatched pushes findable by their app. */
  index(app: string, pushes: readonly Pick<PushToSend, 'pushId' | 'createdAt'>[]): Promise<void>;
  /** Open pushes that were last looked at before `before`, in one push shard. */
  open(shard: number, before: number, limit: number): Promise<readonly string[]>;
  /** Notes that an open push was looked at; a push that closed meanwhile stays out. */
  touch(pushId: string, now: number): Promise<void>;
}

/** Pushes an app can list. */
const MAX_LISTED = 10_000;

interface RecordParts extends BookKeepingParts {
  readonly now: () => number;
}

export function openPushRecords({ now, ...parts }: RecordParts): PushRecords {
  const { redis, keys } = parts;
  const cancel = openBookKeeping(parts, cancelScript);
  const readToSend = perShard<{ pushId: string }, readonly (string | null)[]>(async (pushes) => {
    const records = pushes.map(({ pushId }) => keys.pushRecord(pushId));
    const read = runScript(redis, fieldsScript, { keys: records, args: SEND_FIELDS });
    return (await read) as readonly (readonly (string | null)[])[];
  });
  const readPage = perShard<{ pushId: string; page: number }, readonly (string | null)[]>(async (pages) => {
    const ofPushes = pages.flatMap(({ pushId }) => [keys.pushRecord(pushId), keys.ledger(pushId)]);
    const args = [...pages.map(({ page }) => `page|${page}`), ...SEND_FIELDS];
    return (await runScript(redis, pagesScript, { keys: ofPushes, args })) as readonly (readonly (string | null)[])[];
  });
  const read = async (pushId: string): Promise<PushRecord | undefined> => {
    const fields = await redis.hgetall(keys.pushRecord(pushId));
    if (fields['app'] === undefined) return undefined;
    return { ...lapse(decodeRecord(pushId, fields), now()), ...estimateIn(fields, now()) };
  };
  const readAll = async (ids: readonly string[]): Promise<readonly PushRecord[]> =>
    (await Promise.all(ids.map(read))).filter((record) => record !== undefined);
  return {
    read,
    async toSend(pushId) {
      const fields = await readToSend({ pushId });
      return typeof fields[0] === 'string' ? readingPush(pushId, () => decodePush(pushId, fields)) : undefined;
    },
    async withPage(pushId, page) {
      const fields = await readPage({ pushId, page });
      if (typeof fields[0] !== 'string') return undefined;
      return readingPush(pushId, () => {
        const text = fields[SEND_FIELDS.length];
        const content = typeof text === 'string' ? (JSON.parse(text) as StoredPage) : undefined;
        return { push: decodePush(pushId, fields), page: content };
      });
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
      if (text !== null) return JSON.parse(text) as DeviceVerdict;
      return sampledVerdict(decodeErrors(await redis.hgetall(keys.pushRecord(pushId))), objectId);
    },
    list: async (app, range) => readAll(await listedIds({ redis, keys }, app, range)),
    cancel: async (pushId, now) => (await cancel({ pushId, now })) === 1,
    index: async (app, pushes) => {
      const key = keys.pushesOf(app);
      await redis.zadd(key, ...pushes.flatMap(({ createdAt, pushId }) => [createdAt, pushId]));
      if (Math.random() < pushes.length / 100) await redis.zremrangebyrank(key, 0, -MAX_LISTED - 1);
    },
    open: (shard, before, limit) => redis.zrangebyscore(keys.openPushes(shard), '-inf', before, 'LIMIT', 0, limit),
    touch: async (pushId, now) => void (await redis.zadd(keys.openPushes(shardOfPush(pushId)), 'XX', now, pushId)),
  };
}

export const ALL_PUSH_SHARDS: readonly number[] = Array.from({ length: SHARDS }, (_, shard) => shard);

const SEND_FIELDS = ['app', 'push', 'audience', 'state', 'cancelled', RESOLVED_AUDIENCE, 'where'];

function decodePush(pushId: string, fields: readonly (string | null)[]): PushToSend {
  const [app, push, audience, state, cancelled, resolved, where] = fields;
  const { content, pushTime, expiresAt, createdAt, flowControl, overBudget } = decodeText(push ?? '{}');
  const isDispatched = state !== 'accepted';
  const told = resolved ?? audience;
  // Nobody named would mean everybody.
  if (typeof told !== 'string' && !isDispatched) throw new TypeError('the push has no audience');
  return {
    ...{ pushId, app: app ?? '', content },
    audience: decodeAudience(told, where),
    isDispatched,
    isCancelled: typeof cancelled === 'string',
    ...{ pushTime, expiresAt, createdAt },
    ...(flowControl === undefined ? {} : { flowControl }),
    ...(overBudget === undefined ? {} : { overBudget }),
  };
}

/** What a push found is gone once it is done; a short condition still tells whom it was for. */
function decodeAudience(audience: string | null | undefined, where: string | null | undefined): Audience {
  if (typeof audience === 'string') return readJson(audience) as Audience;
  const told = readJson(where ?? '{}') as JsonObject;
  return Object.keys(told).length > 0 ? audienceOf(told, undefined) : { isForgotten: true };
}

type Fields = Readonly<Record<string, string>>;

function decodeRecord(pushId: string, fields: Fields): PushRecord {
  const { content, prod, notificationId = pushId, ...text } = decodeText(fields['push'] ?? '{}');
  return {
    ...{ objectId: pushId, app: fields['app'] ?? '', notificationId, prod },
    status: (fields['status'] ?? 'in-queue') as PushStatus,
    ...(fields['cancelled'] === undefined ? {} : { isCancelled: true }),
    msg: messageOf(content),
    where: readJson(fields['where'] ?? '{}') as JsonObject,
    ...(text.isToDevices === true ? { isToDevices: true } : {}),
    ...{ createdAt: text.createdAt, pushTime: text.pushTime, expiresAt: text.expiresAt },
    ...(text.number === undefined ? {} : { number: text.number }),
    updatedAt: Number(fields['updatedAt']),
    channels: decodeBooks(fields),
    errors: decodeErrors(fields),
    ...(fields[VERDICTS_CUT] === undefined ? {} : { hasCutVerdicts: true }),
    ...decodeWarnings(fields),
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
    if (kind === 'c' && !counter.startsWith(NOTE))
      channels[channel] = withCounter(channels[channel] ?? NO_BOOKS, counter, Number(value));
  }
  return Object.fromEntries(Object.entries(channels).map(([channel, books]) => [channel, withinReach(books)]));
}

/**
 * A report may come before the books tell of the message, so it is counted; told is no more than the vendor may have taken.
 * Whoever invents devices raises a number that nobody sees.
 */
function withinReach(books: ChannelBooks): ChannelBooks {
  const reach = books.accepted + (books.failed['unknown-outcome'] ?? 0);
  const within = Object.fromEntries(COUNTED_RECEIPTS.map((kind) => [kind, Math.min(books[kind], reach)]));
  return { ...books, ...within };
}

function withCounter(books: ChannelBooks, counter: string, value: number): ChannelBooks {
  if (counter.startsWith('d:')) return { ...books, discarded: { ...books.discarded, [counter.slice(2)]: value } };
  if (counter.startsWith('f:')) return { ...books, failed: { ...books.failed, [counter.slice(2)]: value } };
  return { ...books, [counter]: value };
}

function decodeWarnings(fields: Fields): Pick<PushRecord, 'warnings'> {
  const warnings: RecordedWarning[] = [];
  for (const [name, count] of Object.entries(fields)) {
    const [kind, channel = '', counter = ''] = name.split('|');
    if (kind === 'c' && counter.startsWith(NOTE))
      warnings.push({ channel, message: counter.slice(NOTE.length), count: Number(count) });
  }
  return warnings.length > 0 ? { warnings } : {};
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

/** Whom a rule refused, and few verdicts of a push that is done, stand in its errors only. */
function sampledVerdict(errors: readonly RecordedError[], objectId: string): DeviceVerdict | undefined {
  const found = errors.find(({ samples }) => samples.includes(objectId));
  if (!found) return undefined;
  const { channel, vendorCode, vendorMessage } = found;
  const reason = found.reason as Reason;
  return {
    ...{ channel, outcome: isFailureReason(reason) ? 'failed' : 'discarded', reason },
    ...(vendorCode === undefined ? {} : { vendorCode }),
    ...(vendorMessage === undefined ? {} : { vendorMessage }),
  };
}
