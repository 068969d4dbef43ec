import {
  audienceOf,
  compileCondition,
  writeJson,
  type Audience,
  type Installation,
  type JsonObject,
  type LanePosition,
} from '@pushfleet/domain';
import { shardOf } from '../kit/shards';
import { answered, readAddressed } from './find';
import { inOrder, type OrderedRecord } from './in-order';
import { inTurns, openTurn, type Turn } from './in-turns';
import { complete, toInstallation, type Reader } from './read';
import { decodeInstallation } from './stored';
import { textTest } from './text-test';

export interface ScanRequest {
  readonly app: string;
  /** Parsed; its sub-queries are answered anew for every page. */
  readonly where: JsonObject;
  readonly limit: number;
  /** Installations that are looked at, and that each sub-query looks at; absent: as many as there are. */
  readonly lookAt?: number | undefined;
  /** The end of the page before. */
  readonly from?: LanePosition | undefined;
  /** Ends the search when its caller has gone. */
  readonly signal?: AbortSignal | undefined;
  /** How those that are found are handed out, instead of as clients see them. */
  readonly show?: typeof toInstallation | undefined;
}

export interface Scanned {
  readonly results: readonly Installation[];
  /** Up to the end. */
  readonly lookedAt: number;
  /** The last one that was looked at for this page; absent when no other follows. */
  readonly end?: LanePosition;
}

const READ_AT_ONCE = 500;

/** In the order of a scan; undefined for those that the condition does not hold for. */
type Looked = readonly (readonly [objectId: string, found: Installation | undefined])[];

/**
 * One page of the installations that a condition holds for, in (shard, objectId) order, which outlives restarts and changes in
 * between. It ends where it is full and another one follows, or where enough were looked at.
 */
export async function scanInstallations(reader: Reader, request: ScanRequest): Promise<Scanned> {
  const { limit, lookAt, signal } = request;
  const where = await answered(reader, request);
  const { addressed } = audienceOf(where, undefined);
  const results: Installation[] = [];
  let lookedAt = 0;
  let last = '';
  const source = addressed ? named(reader, request, { where, addressed }) : tested(reader, request, where);
  for await (const looked of source) {
    signal?.throwIfAborted();
    for (const [objectId, found] of looked) {
      if ((found && results.length === limit) || lookedAt === lookAt) return { results, lookedAt, end: placeOf(last) };
      if (found) results.push(found);
      [lookedAt, last] = [lookedAt + 1, objectId];
    }
  }
  return { results, lookedAt };
}

/** Those that an address names are looked up: a condition lists no more than can be read at once. */
async function* named(
  reader: Reader,
  { app, from, signal }: ScanRequest,
  { where, addressed }: { readonly where: JsonObject; readonly addressed: NonNullable<Audience['addressed']> },
): AsyncGenerator<Looked> {
  const matches = inTurns(compileCondition(where), signal);
  const stored = (await readAddressed(reader, app, addressed)).map(toInstallation);
  const unique = new Map(stored.map((one) => [one.objectId, one]));
  const places = [...unique.keys()].map(placeOf).filter((place) => !from || isBehind(place, from));
  for (const { objectId } of places.sort((a, b) => (isBehind(a, b) ? 1 : -1))) {
    const installation = unique.get(objectId);
    yield [[objectId, installation && (await matches(installation)) ? installation : undefined]];
  }
}

const placeOf = (objectId: string): LanePosition => ({ shard: shardOf(objectId), objectId });

const isBehind = (one: LanePosition, other: LanePosition): boolean =>
  one.shard === other.shard ? one.objectId > other.objectId : one.shard > other.shard;

async function* tested(
  reader: Reader,
  { app, from, limit, signal, show = toInstallation }: ScanRequest,
  where: JsonObject,
): AsyncGenerator<Looked> {
  const turn = openTurn(signal);
  const matches = inTurns(compileCondition(where), signal, turn);
  const mayMatch = testOfRecord(where, matches, turn);
  const atOnce = { first: limit + 1, most: READ_AT_ONCE };
  for await (const records of inOrder(reader, { app, from, atOnce })) {
    const likely: OrderedRecord[] = [];
    for (const record of records) if (await mayMatch(record)) likely.push(record);
    const found = new Map<string, Installation>();
    for (const stored of await Promise.all(likely.map((record) => complete(reader, app, record)))) {
      if (stored && (await matches(toInstallation(stored)))) found.set(stored.objectId, show(stored));
    }
    yield records.map(({ objectId }) => [objectId, found.get(objectId)] as const);
  }
}

/**
 * What can be told of a record alone: its registrationId stands in the index, and a search that few match should not ask for that of
 * all the others.
 */
function testOfRecord(
  where: JsonObject,
  matches: (doc: JsonObject) => boolean | Promise<boolean>,
  turn: Turn,
): (record: OrderedRecord) => boolean | Promise<boolean> {
  const asks = writeJson(where);
  if (asks === '{}') return () => true;
  const mayHold = textTest(where);
  const needsAddress = asks.includes('registrationId');
  return async ({ objectId, text }) => {
    if (turn.isOver()) await turn.pause();
    if (mayHold?.(text) === false) return false;
    if (needsAddress) return true;
    const stored = decodeInstallation(objectId, text, '');
    return stored !== undefined && matches(toInstallation(stored));
  };
}
