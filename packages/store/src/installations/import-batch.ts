import { groupBy } from '@pushfleet/domain';
import { lookUpField, shardOf, type LookUpKind } from '../keys';
import { defineScript, runScript } from '../redis';
import { atOnce } from './at-once';
import { bytesOf } from './ceiling/bytes-of';
import { writeIndexed } from './channel-index/write-indexed';
import type { Candidate } from './imported';
import { lookUpsOf } from './look-ups';
import { placeOf } from './placement';
import { encodeInstallation, type IndexEntry } from './stored';
import { nameBucket, type Writer } from './write';

/** `contested`: a closer look must tell. `lost`: it was created, and another took one of its ids meanwhile. */
export type BatchOutcome = 'created' | 'unchanged' | 'contested' | 'lost';

/**
 * Takes look-ups that nobody has. KEYS hashes; ARGV for each of them the number of look-ups, then field and value of each.
 * Answers the positions of those that others have. A small hash is searched from its beginning until it has held a value
 * too long for that: one that is about to grow large gets one early.
 */
const claimScript = defineScript(`
local at, position, taken = 1, 0, {}
for _, key in ipairs(KEYS) do
  local count, fields, fresh = tonumber(ARGV[at]), {}, {}
  for i = 1, count do fields[i] = ARGV[at + 2 * i - 1] end
  local owners = redis.call('HMGET', key, unpack(fields))
  for i = 1, count do
    local id = ARGV[at + 2 * i]
    if not owners[i] then
      fresh[#fresh + 1] = fields[i]
      fresh[#fresh + 1] = id
    elseif owners[i] ~= id then
      taken[#taken + 1] = position + i
    end
  end
  if #fresh > 0 then
    if redis.call('HLEN', key) + count >= 128 and redis.call('OBJECT', 'ENCODING', key) ~= 'hashtable' then
      redis.call('HSET', key, '', string.rep('-', 100))
      redis.call('HDEL', key, '')
    end
    redis.call('HSET', key, unpack(fresh))
  end
  at = at + 1 + 2 * count
  position = position + count
end
return taken`);

/**
 * Stores the records of one shard that are not there yet, with their index entries.
 * KEYS record hash, then index keys; ARGV number of records, objectId, address and text of each, then for each index key
 * which of the two its members are and the numbers of their records; the last key is that of the bytes, the last argument what
 * each record takes. Answers a letter for each record: new, the same, or another version.
 */
const insertScript = defineScript(`
local count, ids, addresses, fresh, found = tonumber(ARGV[1]), {}, {}, {}, {}
for i = 1, count do
  ids[i] = ARGV[3 * i - 1]
  addresses[i] = ARGV[3 * i]
end
local texts = redis.call('HMGET', KEYS[1], unpack(ids))
for i = 1, count do
  local text = ARGV[3 * i + 1]
  if not texts[i] then
    fresh[#fresh + 1] = ids[i]
    fresh[#fresh + 1] = text
  end
  found[i] = not texts[i] and 'n' or texts[i] == text and 's' or 'o'
end
if #fresh > 0 then redis.call('HSET', KEYS[1], unpack(fresh)) end
local i, bytes = 0, 0
for taken in string.gmatch(ARGV[#ARGV], '%d+') do
  i = i + 1
  if found[i] == 'n' then bytes = bytes + tonumber(taken) end
end
if bytes > 0 then redis.call('INCRBY', KEYS[#KEYS], bytes) end
for k = 2, #KEYS - 1 do
  local at, members = 3 * count + 2 * k - 2, {}
  local names = ARGV[at] == 'address' and addresses or ids
  for number in string.gmatch(ARGV[at + 1], '%d+') do
    local i = tonumber(number)
    if found[i] == 'n' then
      members[#members + 1] = 0
      members[#members + 1] = names[i]
    end
  end
  if #members > 0 then redis.call('ZADD', KEYS[k], unpack(members)) end
end
return table.concat(found)`);

/** A script may hand on only so many arguments at once. */
const MAX_IN_SCRIPT = 1000;

/** Commands under way: what they carry is made when their turn comes. */
const AT_ONCE = 64;

interface LookUp {
  readonly row: number;
  readonly kind: LookUpKind;
  readonly field: string;
}

/**
 * Stores many new installations at once, in a handful of commands per shard instead of several per record. They must
 * differ in all their ids. Look-ups are taken before the records are written, so that none is unreachable, and looked at
 * again after it, because others may have taken them meanwhile.
 */
export async function storeBatch(
  writer: Writer,
  app: string,
  batch: readonly Candidate[],
): Promise<readonly BatchOutcome[]> {
  const lookUps = portionsByShard(lookUpsIn(batch), ({ field }) => shardOf(field));
  const contested = await claim(writer, app, { batch, lookUps });
  const outcomes = await insert(writer, app, { batch, contested });
  const lost = await lostLookUps(writer, app, { batch, lookUps, outcomes });
  return outcomes.map((outcome, row) => (lost.has(row) ? 'lost' : outcome));
}

function lookUpsIn(batch: readonly Candidate[]): readonly LookUp[] {
  const found: LookUp[] = [];
  batch.forEach(({ stored }, row) => {
    for (const [kind, value] of lookUpsOf(stored)) found.push({ row, kind, field: lookUpField(kind, value) });
  });
  return found;
}

type Portions<T> = readonly (readonly [shard: number, portion: readonly T[]])[];

function portionsByShard<T>(items: readonly T[], shardOfItem: (item: T) => number): Portions<T> {
  return [...groupBy(items, shardOfItem)].flatMap(([shard, group]) =>
    Array.from(
      { length: Math.ceil(group.length / MAX_IN_SCRIPT) },
      (_, i) => [shard, group.slice(i * MAX_IN_SCRIPT, (i + 1) * MAX_IN_SCRIPT)] as const,
    ),
  );
}

interface Claim {
  readonly batch: readonly Candidate[];
  readonly lookUps: Portions<LookUp>;
}

/** The rows that want what another has. */
async function claim({ redis, keys }: Writer, app: string, { batch, lookUps }: Claim): Promise<ReadonlySet<number>> {
  const contested = new Set<number>();
  await atOnce(AT_ONCE, lookUps, async ([shard, portion]) => {
    const byKind = groupBy(portion, ({ kind }) => kind);
    const args: (string | number)[] = [];
    const rows: number[] = [];
    for (const group of byKind.values()) {
      args.push(group.length);
      for (const { row, field } of group) {
        args.push(field, idOf(batch, row));
        rows.push(row);
      }
    }
    const hashes = Array.from(byKind.keys(), (kind) => keys.lookUps(app, kind, shard));
    const taken = (await runScript(redis, claimScript, { keys: hashes, args })) as readonly number[];
    for (const position of taken) contested.add(rows[position - 1] ?? -1);
  });
  return contested;
}

const idOf = (batch: readonly Candidate[], row: number): string => batch[row]?.stored.objectId ?? '';

interface Insertion {
  readonly batch: readonly Candidate[];
  readonly contested: ReadonlySet<number>;
}

async function insert(writer: Writer, app: string, { batch, contested }: Insertion): Promise<readonly BatchOutcome[]> {
  const outcomes = batch.map((): BatchOutcome => 'contested');
  const entries = await placesOf(writer, app, batch);
  for (const bucket of new Set(entries.flatMap((entry) => entry?.bucket ?? []))) await nameBucket(writer, app, bucket);
  const rows = [...batch.keys()].filter((row) => !contested.has(row));
  const portions = portionsByShard(rows, (row) => shardOf(idOf(batch, row)));
  const write = (): Promise<void> =>
    atOnce(AT_ONCE, portions, async ([shard, portion]) => {
      const found = await insertPortion(writer, app, { batch, entries, shard, portion });
      portion.forEach((row, i) => (outcomes[row] = OUTCOMES[found[i] ?? ''] ?? 'contested'));
    });
  await writeIndexed(writer, app, { entries: subscriptionsOf(portions, entries), write });
  return outcomes;
}

function subscriptionsOf(
  portions: Portions<number>,
  entries: readonly (IndexEntry | undefined)[],
): ReadonlyMap<string, ReadonlySet<number>> {
  const shards = new Map<string, Set<number>>();
  for (const [shard, portion] of portions) {
    for (const channel of portion.flatMap((row) => entries[row]?.channels ?? [])) {
      const known = shards.get(channel);
      if (known) known.add(shard);
      else shards.set(channel, new Set([shard]));
    }
  }
  return shards;
}

interface Portion {
  readonly batch: readonly Candidate[];
  readonly entries: readonly (IndexEntry | undefined)[];
  readonly shard: number;
  /** Numbers of its rows. */
  readonly portion: readonly number[];
}

/** Resolves with a letter for each row, as the script says. */
async function insertPortion(
  writer: Writer,
  app: string,
  { batch, entries, shard, portion }: Portion,
): Promise<string> {
  const places = new Map<string, Place>();
  const args: (string | number)[] = [portion.length];
  const bytes: number[] = [];
  portion.forEach((row, i) => {
    const { stored } = batch[row] as Candidate;
    const entry = entries[row];
    if (entry) addPlaces(places, writer, { app, shard, entry, number: i + 1 });
    const text = encodeInstallation(stored, entry);
    args.push(stored.objectId, entry?.address ?? '', text);
    bytes.push(bytesOf(text, entry));
  });
  for (const { member, numbers } of places.values()) args.push(member, numbers.join(' '));
  args.push(bytes.join(' '));
  const keys = [writer.keys.records(app, shard), ...places.keys(), writer.keys.installationBytes(app, shard)];
  return String(await runScript(writer.redis, insertScript, { keys, args }));
}

async function placesOf(
  writer: Writer,
  app: string,
  batch: readonly Candidate[],
): Promise<readonly (IndexEntry | undefined)[]> {
  const places: (IndexEntry | undefined)[] = [];
  for (const { stored } of batch) places.push(await placeOf(writer, app, stored));
  return places;
}

const OUTCOMES: Readonly<Record<string, BatchOutcome>> = { n: 'created', s: 'unchanged', o: 'contested' };

/** An index key, and the numbers of the records that belong there. */
interface Place {
  readonly member: 'address' | 'objectId';
  readonly numbers: number[];
}

interface Located {
  readonly app: string;
  readonly shard: number;
  readonly entry: IndexEntry;
  /** Of the record in its script. */
  readonly number: number;
}

function addPlaces(places: Map<string, Place>, { keys }: Writer, { app, shard, entry, number }: Located): void {
  const { bucket } = entry;
  const add = (key: string, member: Place['member']): void => {
    const place = places.get(key);
    if (place) place.numbers.push(number);
    else places.set(key, { member, numbers: [number] });
  };
  add(keys.bucket(app, shard, bucket), 'address');
  for (const channel of entry.channels) add(keys.subscribers(app, shard, { bucket, channel }), 'objectId');
}

interface Written extends Claim {
  readonly outcomes: readonly BatchOutcome[];
}

/** The rows whose look-ups do not name them any more. A device token may name another: it belongs to several. */
async function lostLookUps(
  { redis, keys }: Writer,
  app: string,
  { batch, lookUps, outcomes }: Written,
): Promise<ReadonlySet<number>> {
  const lost = new Set<number>();
  await atOnce(AT_ONCE, lookUps, async ([shard, portion]) => {
    const created = portion.filter(({ row, kind }) => kind !== 'deviceToken' && outcomes[row] === 'created');
    const looks = Array.from(
      groupBy(created, ({ kind }) => kind),
      async ([kind, group]) => {
        const owners = await redis.hmget(keys.lookUps(app, kind, shard), ...group.map(({ field }) => field));
        group.forEach(({ row }, i) => owners[i] === idOf(batch, row) || lost.add(row));
      },
    );
    await Promise.all(looks);
  });
  return lost;
}
