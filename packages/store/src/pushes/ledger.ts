import type { Lane, LanePosition, StoredPage } from '@pushfleet/domain';
import { runScript } from '../redis';
import { openBookKeeping, type BookKeepingParts, type Change } from './book-keeping';
import { encodeBooks, type Books } from './books';
import { foldScript, noteTriesScript, planScript } from './scripts';
import { readingPush } from './unreadable-push';

export interface PlanWrite {
  readonly pushId: string;
  readonly lanes: readonly Lane[];
  /** Devices of an addressed push, a vendor batch each; numbered from 1. */
  readonly pages: readonly StoredPage[];
  readonly books: readonly Books[];
  readonly now: number;
}

/** Which part of the plan a fold closes or moves on. */
export type FoldedPart =
  | { readonly lane: number; readonly from: LanePosition; readonly to: LanePosition | 'done' }
  | { readonly page: number };

export interface FoldWrite {
  readonly pushId: string;
  readonly part: FoldedPart;
  readonly books: Books;
  readonly retry?: StoredPage | undefined;
  readonly now: number;
}

export interface Folded {
  /** `stale`: somebody else folded this part; `gone`: the record does not exist any more. */
  readonly state: 'folded' | 'stale' | 'gone';
  /** Number of the retry page that was stored; 0 for none. */
  readonly retryPage: number;
  /** The push was cancelled meanwhile: nobody shall be called for it any more. */
  readonly isCancelled?: boolean;
}

/** A try that ended in a fault of the whole request. */
export interface Tries {
  readonly count: number;
  /** Of these, those that the vendor may have taken. */
  readonly unknowns?: number;
  /** How the devices are booked when the push expires first. */
  readonly booksAs: string;
}

/** An open lane as its worker finds it. */
export interface LaneState {
  readonly lane: Lane;
  readonly position: LanePosition;
  readonly tries: Tries | undefined;
}

export interface Ledger {
  /** False when the push had been dispatched before. */
  plan(write: PlanWrite): Promise<boolean>;
  fold(write: FoldWrite): Promise<Folded>;
  /** Undefined when the lane is folded or the push is closed. */
  lane(pushId: string, lane: number): Promise<LaneState | undefined>;
  /** Remembers that a lane's next page was tried in vain; forgotten by the next fold. */
  noteTries(pushId: string, lane: number, tries: Tries): Promise<void>;
  /** What is left of the plan. */
  openParts(pushId: string): Promise<OpenParts>;
}

export interface OpenParts {
  readonly lanes: readonly Lane[];
  readonly pages: readonly (readonly [page: number, content: StoredPage])[];
}

const encodePosition = ({ shard, objectId }: LanePosition): string => `${shard} ${objectId}`;
function decodePosition(text: string): LanePosition {
  const space = text.indexOf(' ');
  return { shard: Number(text.slice(0, space)), objectId: text.slice(space + 1) };
}

export function openLedger(parts: BookKeepingParts): Ledger {
  const { redis, keys } = parts;
  const plan = openBookKeeping(parts, planScript);
  const fold = openBookKeeping(parts, foldScript);
  return {
    plan: async (write) => (await plan(planOf(write))) === 1,
    fold: async (write) => foldedBy(await fold(foldOf(write))),
    lane: (pushId, lane) => readLane(parts, pushId, lane),
    async noteTries(pushId, lane, tries) {
      const note = { keys: [keys.ledger(pushId)], args: [`at|${lane}`, JSON.stringify(tries)] };
      await runScript(redis, noteTriesScript, note);
    },
    async openParts(pushId) {
      const fields = await redis.hgetall(keys.ledger(pushId));
      return readingPush(pushId, () => openPartsOf(fields));
    },
  };
}

function planOf({ pushId, lanes, pages, books, now }: PlanWrite): Change {
  const devices = pages.reduce((sum, page) => sum + page.devices.length, 0);
  const entries = [
    ...lanes.flatMap((lane) => [
      `lane|${lane.id}`,
      JSON.stringify(lane),
      `at|${lane.id}`,
      encodePosition(startOf(lane)),
    ]),
    ...pages.flatMap((page, i) => [`page|${i + 1}`, JSON.stringify(page)]),
    ...(pages.length > 0 ? ['pages', pages.length] : []),
  ];
  const wants = [lanes.length, pages.length, devices, entries.length, ...entries, ...encodeBooks(books)];
  return { pushId, now, wants };
}

function foldOf({ pushId, part, books, retry, now }: FoldWrite): Change {
  const retryText = retry ? JSON.stringify(retry) : '';
  return { pushId, now, wants: [...encodePart(part), retryText, ...encodeBooks([books])] };
}

function foldedBy(answer: unknown): Folded {
  const [state, retryPage] = answer as [string, number];
  const isRefused = state === 'stale' || state === 'gone';
  return { state: isRefused ? state : 'folded', retryPage, ...(state === 'cancelled' ? { isCancelled: true } : {}) };
}

async function readLane(
  { redis, keys }: Pick<BookKeepingParts, 'redis' | 'keys'>,
  pushId: string,
  id: number,
): Promise<LaneState | undefined> {
  const [lane, at, tries] = await redis.hmget(keys.ledger(pushId), `lane|${id}`, `at|${id}`, `tries|at|${id}`);
  if (typeof lane !== 'string' || typeof at !== 'string') return undefined;
  const known = typeof tries === 'string' ? (JSON.parse(tries) as Tries) : undefined;
  return { lane: JSON.parse(lane) as Lane, position: decodePosition(at), tries: known };
}

function openPartsOf(fields: Readonly<Record<string, string>>): OpenParts {
  const numbers = (prefix: string): readonly number[] =>
    Object.keys(fields)
      .filter((name) => name.startsWith(prefix))
      .map((name) => Number(name.slice(prefix.length)))
      .sort((a, b) => a - b);
  return {
    lanes: numbers('at|').map((id) => JSON.parse(fields[`lane|${id}`] ?? '') as Lane),
    pages: numbers('page|').map((page) => [page, JSON.parse(fields[`page|${page}`] ?? '') as StoredPage]),
  };
}

const startOf = (lane: Lane): LanePosition => ({ shard: lane.fromShard, objectId: '' });

function encodePart(part: FoldedPart): readonly [name: string, expected: string, following: string] {
  if ('page' in part) return [`page|${part.page}`, '', ''];
  return [`at|${part.lane}`, encodePosition(part.from), part.to === 'done' ? 'done' : encodePosition(part.to)];
}
