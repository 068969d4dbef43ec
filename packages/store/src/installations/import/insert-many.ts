import { channelsOf, chunksOf, groupBy } from '@pushfleet/domain';
import { each } from '../../kit/lua/params';
import { luaScript } from '../../kit/lua/script';
import { lookUpField, type LookUpKind } from '../keys';
import { shardOf } from '../../kit/shards';
import { atOnce } from '../at-once';
import { bytesOf } from '../ceiling/bytes-of';
import { writeIndexed } from '../channel-index/write-indexed';
import type { KeptColumns } from '../column-index/kept-columns';
import { addOwnColumns } from '../column-names/own-columns-of';
import { columnTermsOf, memberOf, readColumnTerm } from '../column-index/terms';
import { idsIn } from '../identity/ids';
import { placeOf } from '../placement';
import { encodeInstallation, type IndexEntry } from '../stored';
import { CLAIM_SECONDS, nameBucket, type Writer } from '../write';
import type { Candidate } from './candidate';

/** `contested`: a closer look must tell. */
export type BatchOutcome = 'created' | 'unchanged' | 'contested';

const claimScript = luaScript('installations/claim-many', {
  params: { groups: each({ lookUps: 'key', releases: 'key', ids: 'texts' }) },
  answer: ([at, ...taken]: readonly [string, ...number[]]) => ({ at: Number(at), taken }),
});

const insertScript = luaScript('installations/insert-many', {
  params: {
    records: 'key',
    fences: 'key',
    bytes: 'key',
    stamp: 'key',
    claimedAt: 'text',
    generation: 'number',
    rows: each({ objectId: 'text', address: 'text', text: 'text', bytes: 'number' }),
    places: each({ place: 'key', value: 'text', member: 'text', numbers: 'text' }),
  },
  constants: { CLAIM_SECONDS },
  answer: String,
});

/** A script may hand on only so many arguments at once. */
const MAX_IN_SCRIPT = 1000;

/** Commands under way: what they carry is made when their turn comes. */
const AT_ONCE = 64;

/** Records and subscriptions of one round of commands: so many keep Redis for some tenths of a second. */
const ENTRIES_IN_ROUND = 20_000;

interface LookUp {
  readonly row: number;
  readonly kind: LookUpKind;
  readonly field: string;
}

/**
 * Stores many new installations at once, in a handful of commands per shard instead of several per record. They must
 * differ in all their ids, and were not there when they were looked for.
 */
export async function insertMany(
  writer: Writer,
  app: string,
  batch: readonly Candidate[],
): Promise<readonly BatchOutcome[]> {
  const outcomes: BatchOutcome[] = [];
  for (const round of roundsOf(batch)) outcomes.push(...(await insertRound(writer, app, round)));
  return outcomes;
}

/** In their order; one record has a round of its own however many its subscriptions are. */
function* roundsOf(batch: readonly Candidate[]): Generator<readonly Candidate[]> {
  let [round, entries]: [Candidate[], number] = [[], 0];
  for (const candidate of batch) {
    const more = 1 + channelsOf(candidate.stored.doc).length;
    if (round.length > 0 && entries + more > ENTRIES_IN_ROUND) {
      yield round;
      [round, entries] = [[], 0];
    }
    round.push(candidate);
    entries += more;
  }
  if (round.length > 0) yield round;
}

/** Ids are claimed before the records are written. */
async function insertRound(writer: Writer, app: string, batch: readonly Candidate[]): Promise<readonly BatchOutcome[]> {
  const lookUps = portionsByShard(lookUpsIn(batch), ({ field }) => shardOf(field));
  return insert(writer, app, { batch, ...(await claim(writer, app, { batch, lookUps })) });
}

function lookUpsIn(batch: readonly Candidate[]): readonly LookUp[] {
  const found: LookUp[] = [];
  batch.forEach(({ stored }, row) => {
    for (const { kind, value } of idsIn(stored.doc)) found.push({ row, kind, field: lookUpField(kind, value) });
  });
  return found;
}

type Portions<T> = readonly (readonly [shard: number, portion: readonly T[]])[];

function portionsByShard<T>(items: readonly T[], shardOfItem: (item: T) => number): Portions<T> {
  return [...groupBy(items, shardOfItem)].flatMap(([shard, group]) =>
    chunksOf(group, MAX_IN_SCRIPT).map((portion) => [shard, portion] as const),
  );
}

interface Claim {
  readonly batch: readonly Candidate[];
  readonly lookUps: Portions<LookUp>;
}

interface Claimed {
  /** The rows that want what another has. */
  readonly contested: ReadonlySet<number>;
  /** By the clock of Redis, in seconds. */
  readonly claimedAt: number;
}

async function claim({ redis, keys }: Writer, app: string, { batch, lookUps }: Claim): Promise<Claimed> {
  const contested = new Set<number>();
  let claimedAt = Infinity;
  await atOnce(AT_ONCE, lookUps, async ([shard, portion]) => {
    const byKind = [...groupBy(portion, ({ kind }) => kind)];
    const groups = byKind.map(([kind, group]) => ({
      lookUps: keys.lookUps(app, kind, shard),
      releases: keys.releases(app, kind, shard),
      ids: group.flatMap(({ row, field }) => [field, idOf(batch, row)]),
    }));
    const rows = byKind.flatMap(([, group]) => group.map(({ row }) => row));
    const { at, taken } = await claimScript(redis, { groups });
    claimedAt = Math.min(claimedAt, at);
    for (const position of taken) contested.add(rows[position - 1] ?? -1);
  });
  return { contested, claimedAt };
}

const idOf = (batch: readonly Candidate[], row: number): string => batch[row]?.stored.objectId ?? '';

interface Insertion extends Claimed {
  readonly batch: readonly Candidate[];
}

async function insert(
  writer: Writer,
  app: string,
  { batch, contested, claimedAt }: Insertion,
): Promise<readonly BatchOutcome[]> {
  const outcomes = batch.map((): BatchOutcome => 'contested');
  const columns = await writer.columns.of(app);
  const entries = await indexedOf(writer, app, { batch, columns });
  for (const bucket of new Set(entries.flatMap((one) => one?.entry.bucket ?? [])))
    await nameBucket(writer, app, bucket);
  await noteColumns(writer, app, batch);
  const rows = [...batch.keys()].filter((row) => !contested.has(row));
  const portions = portionsByShard(rows, (row) => shardOf(idOf(batch, row)));
  const write = (): Promise<void> =>
    atOnce(AT_ONCE, portions, async ([shard, portion]) => {
      const found = await insertPortion(writer, app, { batch, entries, columns, shard, portion, claimedAt });
      portion.forEach((row, i) => (outcomes[row] = OUTCOMES[found[i] ?? ''] ?? 'contested'));
    });
  await writeIndexed(writer, app, { entries: termsOf(portions, entries), write });
  return outcomes;
}

async function noteColumns({ columnNames }: Writer, app: string, batch: readonly Candidate[]): Promise<void> {
  const columns = new Set<string>();
  for (const { stored } of batch) addOwnColumns(columns, stored.doc);
  await columnNames.note(app, columns);
}

function termsOf(portions: Portions<number>, entries: readonly Indexed[]): ReadonlyMap<string, ReadonlySet<number>> {
  const shards = new Map<string, Set<number>>();
  for (const [shard, portion] of portions) {
    for (const term of portion.flatMap((row) => [
      ...(entries[row]?.entry.channels ?? []),
      ...(entries[row]?.terms ?? []),
    ])) {
      const known = shards.get(term);
      if (known) known.add(shard);
      else shards.set(term, new Set([shard]));
    }
  }
  return shards;
}

interface Portion {
  readonly batch: readonly Candidate[];
  readonly entries: readonly Indexed[];
  readonly columns: KeptColumns;
  readonly shard: number;
  /** Numbers of its rows. */
  readonly portion: readonly number[];
  readonly claimedAt: number;
}

/** Resolves with a letter for each row, as the script says. */
async function insertPortion(
  writer: Writer,
  app: string,
  { batch, entries, columns, shard, portion, claimedAt }: Portion,
): Promise<string> {
  const { redis, keys } = writer;
  const places = new Map<string, Place>();
  const rows = portion.map((row, i) => {
    const { stored } = batch[row] as Candidate;
    const indexed = entries[row];
    if (indexed) addPlaces(places, writer, { app, shard, ...indexed, number: i + 1 });
    const entry = indexed?.entry;
    const text = encodeInstallation(stored, entry);
    return { objectId: stored.objectId, address: entry?.address ?? '', text, bytes: bytesOf(text, entry) };
  });
  return insertScript(redis, {
    records: keys.records(app, shard),
    fences: keys.fences(app, shard),
    bytes: keys.installationBytes(app, shard),
    claimedAt: claimedAt === Infinity ? '' : claimedAt,
    rows,
    stamp: keys.columnStamp(app, shard),
    generation: columns.generation,
    places: Array.from(places.values(), ({ numbers, ...place }) => ({ ...place, numbers: numbers.join(' ') })),
  });
}

/** Where the indexes hold an installation; undefined of one that is no target. */
type Indexed = { readonly entry: IndexEntry; readonly terms: readonly string[] } | undefined;

async function indexedOf(
  writer: Writer,
  app: string,
  { batch, columns }: { readonly batch: readonly Candidate[]; readonly columns: KeptColumns },
): Promise<readonly Indexed[]> {
  const found: Indexed[] = [];
  for (const { stored } of batch) {
    const entry = await placeOf(writer, app, stored);
    found.push(entry && { entry, terms: columnTermsOf(stored.doc, columns.columns) });
  }
  return found;
}

const OUTCOMES: Readonly<Record<string, BatchOutcome>> = { n: 'created', s: 'unchanged', o: 'contested' };

/** An index key, what stands there before the id, and the numbers of the records that belong there. */
interface Place {
  readonly place: string;
  readonly value: string;
  readonly member: 'address' | 'objectId';
  readonly numbers: number[];
}

interface Located {
  readonly app: string;
  readonly shard: number;
  readonly entry: IndexEntry;
  readonly terms: readonly string[];
  /** Of the record in its script. */
  readonly number: number;
}

function addPlaces(places: Map<string, Place>, { keys }: Writer, { app, shard, entry, terms, number }: Located): void {
  const { bucket } = entry;
  const add = (place: string, member: Place['member'], value = ''): void => {
    const name = `${place} ${value}`;
    const known = places.get(name);
    if (known) known.numbers.push(number);
    else places.set(name, { place, value, member, numbers: [number] });
  };
  add(keys.bucket(app, shard, bucket), 'address');
  for (const channel of entry.channels) add(keys.subscribers(app, shard, { bucket, channel }), 'objectId');
  for (const term of terms.map(readColumnTerm))
    add(keys.column(app, shard, term.column), 'objectId', memberOf(term, ''));
}
