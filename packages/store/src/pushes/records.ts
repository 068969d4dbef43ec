import {
  type Audience,
  audienceOf,
  type JsonObject,
  LIMITS,
  type PushContent,
  type PushRecord,
  type PushService,
  readJson,
  type StoredPage,
} from '@pushfleet/domain';
import { shardOfPush } from './keys';
import { recordIn } from '../kit/damaged-record';
import { each } from '../kit/lua/params';
import { isDone, luaScript } from '../kit/lua/script';
import { bookScript, openBookKeeping } from './book-keeping';
import { decodeErrors, decodeRecord, lapse, sampledVerdict, type DeviceVerdict } from './decode-record';
import { estimateIn } from './estimates';
import { addToLists, listedIds } from './list';
import { perShard } from './per-shard';
import { isPushId } from './push-ids';
import type { PushParts } from './push-parts';
import { decodeText } from './push-text';
import { readFields } from './read-fields';
import { pageField, RECORD } from './record-fields';
import { fewAtOnce } from '../kit/few-at-once';
import { keepResolvedAudience } from './resolved-audience';
import { filterPushes, searchPushes, type PushFilter, type PushSearch, type SearchedPushes } from './search';
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
  /** Who asked for it; absent: a sender of pushes. */
  readonly service?: PushService;
}

export interface PushWithPage {
  readonly push: PushToSend;
  readonly page: StoredPage | undefined;
}

export interface PushRecords {
  /** The audience is the resolved one once that is kept. Rejects with `UnreadablePush` when the record cannot be read. */
  toSend(pushId: string): Promise<PushToSend | undefined>;
  /** The same with one page of the plan, read at one moment; no page when the page is folded or not planned yet. */
  withPage(pushId: string, page: number): Promise<PushWithPage | undefined>;
  /** Keeps the audience whose sub-queries are answered; resolves with what was kept first. */
  keepResolved(pushId: string, audience: Audience): Promise<Audience>;
  read(pushId: string): Promise<PushRecord | undefined>;
  /** By push id, or the newest that share a notification id that the sender chose; `most` of them where not all are wanted. */
  find(app: string, id: string, most?: number): Promise<readonly PushRecord[]>;
  /** The verdict on one installation, or on an address that the push names, when one was kept. */
  verdict(pushId: string, objectId: string): Promise<DeviceVerdict | undefined>;
  /** Newest first; fewer than asked for where records are gone. */
  list(app: string, range: { readonly limit: number; readonly skip: number }): Promise<readonly PushRecord[]>;
  /** Those of a status, or of a time, newest first, as far as one request looks. */
  filter(app: string, filter: PushFilter): Promise<SearchedPushes>;
  /** Newest first, as far as one request looks. */
  search(search: PushSearch): Promise<SearchedPushes>;
  /** False when it was cancelled before, or does not exist. */
  cancel(pushId: string, now: number): Promise<boolean>;
  /** Adds dispatched pushes to the list of their app. */
  index(app: string, pushes: readonly Pick<PushToSend, 'pushId' | 'createdAt' | 'service'>[]): Promise<void>;
  /** Open pushes of one push shard that the re-driver last looked at before `before`. */
  open(shard: number, before: number, limit: number): Promise<readonly string[]>;
  /** Notes that the re-driver looked at an open push; a push that closed meanwhile is not added. */
  touch(pushId: string, now: number): Promise<void>;
}

const SEND_FIELDS = [
  ...[RECORD.app, RECORD.push, RECORD.audience, RECORD.state, RECORD.cancelled, RECORD.resolvedAudience, RECORD.where],
];

/** Of the fields that are read of every push. */
type Values = readonly (string | null)[];

const readSendFields = luaScript('pushes/read-fields', {
  params: { records: 'keys', fields: 'texts' },
  answer: (found: readonly Values[]) => found,
});

const readPages = luaScript('pushes/read-pages', {
  params: { pushes: each({ record: 'key', ledger: 'key', page: 'text' }), fields: 'texts' },
  answer: (found: readonly Values[]) => found,
});

const cancelScript = bookScript('pushes/cancel', {}, isDone);

interface RecordParts extends PushParts {
  readonly now: () => number;
}

export function openPushRecords({ now, ...parts }: RecordParts): PushRecords {
  const { redis, keys } = parts;
  const cancel = openBookKeeping(parts, cancelScript);
  const readToSend = perShard<{ pushId: string }, Values>((pushes) =>
    readSendFields(redis, { records: pushes.map(({ pushId }) => keys.pushRecord(pushId)), fields: SEND_FIELDS }),
  );
  const readPage = perShard<{ pushId: string; page: number }, Values>((pages) => {
    const pushes = pages.map(({ pushId, page }) => ({
      record: keys.pushRecord(pushId),
      ledger: keys.ledger(pushId),
      page: pageField(page),
    }));
    return readPages(redis, { pushes, fields: SEND_FIELDS });
  });
  const read = async (pushId: string): Promise<PushRecord | undefined> => {
    const fields = await readFields(parts, pushId);
    if (fields[RECORD.app] === undefined) return undefined;
    return { ...lapse(decodeRecord(pushId, fields), now()), ...estimateIn(fields, now()) };
  };
  const readAll = async (ids: readonly string[]): Promise<readonly PushRecord[]> =>
    (await fewAtOnce(ids, read)).filter((record) => record !== undefined);
  return {
    read,
    async toSend(pushId) {
      const fields = await orPacked(parts, pushId, () => readToSend({ pushId }));
      return typeof fields[0] === 'string' ? readingPush(pushId, () => decodePush(pushId, fields)) : undefined;
    },
    async withPage(pushId, page) {
      const fields = await orPacked(parts, pushId, () => readPage({ pushId, page }));
      if (typeof fields[0] !== 'string') return undefined;
      return readingPush(pushId, () => {
        const text = fields[SEND_FIELDS.length];
        const content = typeof text === 'string' ? (JSON.parse(text) as StoredPage) : undefined;
        return { push: decodePush(pushId, fields), page: content };
      });
    },
    keepResolved: (pushId, audience) => keepResolvedAudience({ redis, keys }, pushId, audience),
    async find(app, id, most = LIMITS.sharedNotificationId.value) {
      const record = isPushId(id) ? await read(id) : undefined;
      if (record?.app === app) return [record];
      const under = async (key: string): Promise<readonly PushRecord[]> =>
        (await readAll(await redis.zrevrange(key, 0, most - 1))).filter((found) => found.app === app);
      const own = await under(keys.notification(app, id));
      // Whoever has the app may guess an id of its server: what is sent under it then is not told as the server's.
      return own.length > 0 ? own : under(keys.notification(app, id, 'app-key'));
    },
    async verdict(pushId, objectId) {
      const kept = recordIn((await redis.hget(keys.verdicts(pushId), objectId)) ?? '');
      if (kept) return kept as unknown as DeviceVerdict;
      return sampledVerdict(decodeErrors(await readFields(parts, pushId)), objectId);
    },
    list: async (app, range) => readAll(await listedIds({ redis, keys }, app, range)),
    filter: (app, filter) => filterPushes({ redis, keys, read }, app, filter),
    search: (search) => searchPushes({ redis, keys, read }, search),
    cancel: (pushId, now) => cancel({ pushId, now, wants: {} }),
    index: (app, pushes) => indexPushes(parts, app, pushes),
    open: (shard, before, limit) => redis.zrangebyscore(keys.openPushes(shard), '-inf', before, 'LIMIT', 0, limit),
    touch: async (pushId, now) => void (await redis.zadd(keys.openPushes(shardOfPush(pushId)), 'XX', now, pushId)),
  };
}

const indexPushes = (parts: PushParts, app: string, pushes: Parameters<PushRecords['index']>[1]): Promise<void> =>
  addToLists(
    parts,
    pushes.map(({ pushId, createdAt, service }) => ({ pushId, app, createdAt, service })),
  );

const isFound = ([app]: Values): boolean => typeof app === 'string';

/** What is read of every push, of a packed record too: nobody works on such a one, so it is seldom asked for. */
async function orPacked(parts: PushParts, pushId: string, read: () => Promise<Values>): Promise<Values> {
  const values = await read();
  if (isFound(values)) return values;
  const fields = await readFields(parts, pushId);
  // No packed record has a state: this one was written after it was first looked for.
  const late = fields[RECORD.state] === undefined ? values : await read();
  if (isFound(late)) return late;
  return SEND_FIELDS.map((name) => fields[name] ?? null);
}

function decodePush(pushId: string, fields: readonly (string | null)[]): PushToSend {
  const [app, push, audience, state, cancelled, resolved, where] = fields;
  const { content, pushTime, expiresAt, createdAt, flowControl, overBudget, service } = decodeText(push ?? '{}');
  const isDispatched = state !== 'accepted';
  const told = resolved ?? audience;
  // An empty audience would mean every device.
  if (typeof told !== 'string' && !isDispatched) throw new TypeError('the push has no audience');
  return {
    audience: decodeAudience(told, where),
    isDispatched,
    isCancelled: typeof cancelled === 'string',
    pushId,
    app: app ?? '',
    content,
    pushTime,
    expiresAt,
    createdAt,
    ...(flowControl === undefined ? {} : { flowControl }),
    ...(overBudget === undefined ? {} : { overBudget }),
    ...(service === undefined ? {} : { service }),
  };
}

/** The devices of a done push are dropped; a short condition still tells whom the push was for. */
function decodeAudience(audience: string | null | undefined, where: string | null | undefined): Audience {
  if (typeof audience === 'string') return readJson(audience) as Audience;
  const told = readJson(where ?? '{}') as JsonObject;
  return Object.keys(told).length > 0 ? audienceOf(told, undefined) : { isForgotten: true };
}
