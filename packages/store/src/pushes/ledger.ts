import type { Lane, LanePosition, Reason, StoredPage } from '@pushfleet/domain';
import type { MemoryGuard } from '../kit/memory-guard';
import { isDone, luaScript, nothing } from '../kit/lua/script';
import { bookScript, openBookKeeping, type Change } from './book-keeping';
import { BOOKS, encodeBooks, encodeOutcomes, OUTCOMES, type Books, type Telling } from './books';
import type { DirectPlan } from './plan-direct';
import type { PushParts } from './push-parts';
import {
  laneField,
  LEDGER_PAGES,
  NAMES,
  openLanesIn,
  openPagesIn,
  pageField,
  positionField,
  triesField,
} from './record-fields';
import { readingPush } from './unreadable-push';

export interface PlanWrite {
  readonly pushId: string;
  readonly lanes: readonly Lane[];
  /** The devices of an addressed push; pages are numbered from 1. */
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
  readonly retries?: readonly StoredPage[];
  readonly now: number;
}

export interface Folded {
  /** `stale`: this part was folded before; `gone`: the record does not exist any more. */
  readonly state: 'folded' | 'stale' | 'gone';
  /** Numbers of the retry pages that were stored. */
  readonly retryPages: readonly number[];
  /** The push was cancelled meanwhile: no vendor shall be called for it any more. */
  readonly isCancelled?: boolean;
}

/** A try that ended in a fault of the whole request. */
export interface Tries {
  readonly count: number;
  /** Tries that the vendor may have taken. */
  readonly unknowns?: number;
  /** Tries that ended in what is tried a few times only. */
  readonly limited?: number;
  /** How the devices are booked when the push expires first. */
  readonly booksAs: Reason;
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
  /** Remembers that the next page of a lane was tried without success. The next fold forgets it. */
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

const PLANNED = { lanes: 'number', pages: 'number', devices: 'text', entries: 'texts', ...BOOKS, ...OUTCOMES } as const;
const FOLDED = { part: 'text', expected: 'text', following: 'text', retries: 'texts', ...BOOKS, ...OUTCOMES } as const;

const planScript = bookScript('pushes/plan', PLANNED, isDone);
const foldScript = bookScript('pushes/fold', FOLDED, foldedBy);

const noteTries = luaScript('pushes/note-tries', {
  params: { ledger: 'key', part: 'text', tries: 'text' },
  constants: NAMES,
  answer: nothing,
});

interface LedgerParts extends PushParts {
  readonly memory: Pick<MemoryGuard, 'hasRoom'>;
}

export function openLedger(parts: LedgerParts): Ledger {
  const { redis, keys, memory, outcomeBytes } = parts;
  const plan = openBookKeeping(parts, planScript);
  const fold = openBookKeeping(parts, foldScript);
  const telling = (at: number): Telling => ({ at, maxBytes: memory.hasRoom('outcomes') ? outcomeBytes : 0 });
  return {
    plan: (write) => plan(planOf(write, telling(write.now))),
    fold: (write) => fold(foldOf(write, telling(write.now))),
    lane: (pushId, lane) => readLane(parts, pushId, lane),
    noteTries: (pushId, lane, tries) =>
      noteTries(redis, { ledger: keys.ledger(pushId), part: positionField(lane), tries: JSON.stringify(tries) }),
    async openParts(pushId) {
      const fields = await redis.hgetall(keys.ledger(pushId));
      return readingPush(pushId, () => openPartsOf(fields));
    },
  };
}

function planOf({ pushId, lanes, pages, books, now }: PlanWrite, telling: Telling): Change<typeof PLANNED> {
  const entries = [
    ...lanes.flatMap((lane) => [
      ...[laneField(lane.id), JSON.stringify(lane)],
      ...[positionField(lane.id), encodePosition(startOf(lane))],
    ]),
    ...pageEntries(pages),
  ];
  const wants = {
    lanes: lanes.length,
    pages: pages.length,
    devices: devicesIn(pages),
    entries,
    ...encodeBooks(books),
    ...encodeOutcomes(books, telling),
  };
  return { pushId, now, wants };
}

const devicesIn = (pages: readonly StoredPage[]): number => pages.reduce((sum, { devices }) => sum + devices.length, 0);

const pageEntries = (pages: readonly StoredPage[]): readonly (string | number)[] => [
  ...pages.flatMap((page, i) => [pageField(i + 1), JSON.stringify(page)]),
  ...(pages.length > 0 ? [LEDGER_PAGES, pages.length] : []),
];

/** A plan that is written together with the record of its push. */
export function plannedParts({ pages, books }: DirectPlan) {
  const { counters } = encodeBooks(books);
  return { parts: pages.length, devices: devicesIn(pages), counters, entries: pageEntries(pages) };
}

function foldOf({ pushId, part, books, retries = [], now }: FoldWrite, telling: Telling): Change<typeof FOLDED> {
  const wants = {
    retries: retries.map((page) => JSON.stringify(page)),
    ...encodePart(part),
    ...encodeBooks([books]),
    ...encodeOutcomes([books], telling),
  };
  return { pushId, now, wants };
}

function foldedBy([state, ...retryPages]: readonly [state: string, ...retryPages: number[]]): Folded {
  const isRefused = state === 'stale' || state === 'gone';
  return { state: isRefused ? state : 'folded', retryPages, ...(state === 'cancelled' ? { isCancelled: true } : {}) };
}

async function readLane(
  { redis, keys }: Pick<PushParts, 'redis' | 'keys'>,
  pushId: string,
  id: number,
): Promise<LaneState | undefined> {
  const [lane, at, tries] = await redis.hmget(keys.ledger(pushId), laneField(id), positionField(id), triesField(id));
  if (typeof lane !== 'string' || typeof at !== 'string') return undefined;
  const known = typeof tries === 'string' ? (JSON.parse(tries) as Tries) : undefined;
  return { lane: JSON.parse(lane) as Lane, position: decodePosition(at), tries: known };
}

function openPartsOf(fields: Readonly<Record<string, string>>): OpenParts {
  const names = Object.keys(fields);
  return {
    lanes: openLanesIn(names).map((id) => JSON.parse(fields[laneField(id)] ?? '') as Lane),
    pages: openPagesIn(names).map((page) => [page, JSON.parse(fields[pageField(page)] ?? '') as StoredPage]),
  };
}

const startOf = (lane: Lane): LanePosition => ({ shard: lane.fromShard, objectId: '' });

function encodePart(part: FoldedPart): Readonly<Record<'part' | 'expected' | 'following', string>> {
  if ('page' in part) return { part: pageField(part.page), expected: '', following: '' };
  const following = part.to === 'done' ? 'done' : encodePosition(part.to);
  return { part: positionField(part.lane), expected: encodePosition(part.from), following };
}
