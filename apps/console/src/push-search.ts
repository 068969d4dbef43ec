import {
  FROM_SERVICES,
  PUSH_STATUSES,
  type Json,
  type PushRecord,
  type PushService,
  type PushStatus,
} from '@pushfleet/domain';
import { isPushId, PUSH_CURSOR, readPushCursor, type PushPosition } from '@pushfleet/store';
import { z } from 'zod';
import { cursorLike } from './http/page-range';
import type { ConsolePorts } from './ports';

/** As a reader knows them: a cancelled push may be done or not. */
export const SEARCHED_STATUSES = [...PUSH_STATUSES, 'cancelled'] as const;
export const MAX_SEARCH_CHARACTERS = 200;

/** What pushes are searched by, in a query. */
export const searchFields = {
  status: z.enum(SEARCHED_STATUSES).optional(),
  channel: z.string().min(1).max(64).optional(),
  search: z.string().trim().min(1).max(MAX_SEARCH_CHARACTERS).optional(),
  cursor: cursorLike(PUSH_CURSOR),
  'from-service': z.enum(FROM_SERVICES).optional(),
};

type Wish = z.output<z.ZodObject<typeof searchFields>>;

/** Pages of it follow each other by cursor alone. */
export const isSearch = ({ status, search, channel, cursor }: Wish): boolean =>
  status === 'cancelled' || (search ?? channel ?? cursor) !== undefined;

export const listedStatus = ({ status }: Wish): PushStatus | undefined => (status === 'cancelled' ? undefined : status);

/** The pushes of a chat server are listed apart. */
export const listedService = ({ 'from-service': service }: Wish): PushService | undefined =>
  service === 'rtm' ? service : undefined;

interface Search {
  readonly app: string;
  readonly wish: Wish;
  readonly limit: number;
  readonly signal: AbortSignal;
}

interface FoundPushes {
  readonly results: readonly PushRecord[];
  /** Absent where nothing was searched for. */
  readonly lookedAt?: number;
  /** The last one that was looked at; absent when there is no older one. */
  readonly end?: PushPosition;
}

/** The newest first; a push that is named by its objectId is the only one, however old it is. */
export async function findPushes(
  { store: { pushes } }: Pick<ConsolePorts, 'store'>,
  { app, wish, limit, signal }: Search,
): Promise<FoundPushes> {
  const { search, cursor } = wish;
  const named = cursor === undefined && search !== undefined && isPushId(search) ? await pushes.find(app, search) : [];
  if (named.length > 0) return { results: named };
  return pushes.search({
    app,
    limit,
    service: listedService(wish),
    after: cursor === undefined ? undefined : readPushCursor(cursor),
    isWanted: wantedPushes(wish),
    signal,
  });
}

function wantedPushes({ status, channel, search }: Wish): (record: PushRecord) => boolean {
  const word = search?.toLowerCase();
  return (record) =>
    (status === undefined || statusesOf(record).includes(status)) &&
    (channel === undefined || Object.hasOwn(record.channels, channel)) &&
    (word === undefined || record.notificationId.toLowerCase() === word || says(record.msg, word));
}

const statusesOf = ({ status, isCancelled }: PushRecord): readonly (typeof SEARCHED_STATUSES)[number][] =>
  isCancelled === true ? [status, 'cancelled'] : [status];

/** In texts and titles, those for one vendor included; the names of fields are nothing that a push says. */
function says(value: Json, word: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(word);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((part: Json) => says(part, word));
}
