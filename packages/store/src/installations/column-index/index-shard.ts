import { createHash } from 'node:crypto';
import { chunksOf } from '@pushfleet/domain';
import { each } from '../../kit/lua/params';
import { luaScript, nothing } from '../../kit/lua/script';
import { addEntries, type IndexParts } from '../channel-index/entries';
import { decodeInstallation } from '../stored';
import { readColumns } from './column-state';
import { columnTermsOf, memberOf, objectIdOf, readColumnTerm } from './terms';

export interface ColumnShard {
  readonly app: string;
  readonly column: string;
  readonly shard: number;
}

const stampColumns = luaScript('installations/stamp-columns', {
  params: { stamp: 'key', generation: 'number' },
  answer: nothing,
});

const addValues = luaScript('installations/add-values', {
  params: { records: 'key', index: 'key', entries: each({ objectId: 'text', digest: 'text', member: 'text' }) },
  answer: Number,
});

const dropStaleValues = luaScript('installations/drop-stale-values', {
  params: { records: 'key', index: 'key', entries: each({ objectId: 'text', text: 'text', member: 'text' }) },
  answer: nothing,
});

/** Records that are parsed in one go, so that whatever else the process does has its turn. */
const READ_AT_ONCE = 100;
const SCAN_COUNT = 500;

/** From now on, nobody writes a record of the shards without knowing what the app's columns are now. */
export async function stampShards({ redis, keys }: IndexParts, app: string, shards: readonly number[]): Promise<void> {
  const { generation } = (await readColumns({ redis, keys }, app)).state;
  await Promise.all(shards.map((shard) => stampColumns(redis, { stamp: keys.columnStamp(app, shard), generation })));
}

/** Adds what the index misses of a shard's records, and removes what it has beside; resolves with how many were missing. */
export async function indexShard(parts: IndexParts, of: ColumnShard): Promise<number> {
  const { redis, keys } = parts;
  await stampShards(parts, of.app, [of.shard]);
  // Looked at by name: a cursor means nothing any more when Redis was restarted in between.
  const ids = await redis.hkeys(keys.records(of.app, of.shard));
  const members = new Set<string>();
  let missing = 0;
  for (const some of chunksOf(ids, READ_AT_ONCE)) missing += await indexSome(parts, of, { ids: some, members });
  await dropOthers(parts, of, members);
  return missing;
}

interface Some {
  readonly ids: readonly string[];
  /** Grows by those that the records ask for. */
  readonly members: Set<string>;
}

async function indexSome(parts: IndexParts, of: ColumnShard, { ids, members }: Some): Promise<number> {
  const { redis, keys } = parts;
  const texts = await redis.hmget(keys.records(of.app, of.shard), ...ids);
  const found = ids.flatMap((objectId, i) => valuesIn(of.column, { objectId, text: texts[i] ?? '' }));
  for (const { member } of found) members.add(member);
  if (found.length === 0) return 0;
  const shards = new Set([of.shard]);
  const entries = new Map(found.map(({ term }) => [term, shards]));
  const names = await addEntries(parts, of.app, { entries, isBefore: true });
  const records = keys.records(of.app, of.shard);
  return names + (await addValues(redis, { records, index: keys.column(of.app, of.shard, of.column), entries: found }));
}

interface RecordText {
  readonly objectId: string;
  /** '' for nothing. */
  readonly text: string;
}

/** What the index must hold of a record: nothing of one that is no target. */
function valuesIn(column: string, { objectId, text }: RecordText) {
  if (text === '') return [];
  const stored = decodeInstallation(objectId, text, '');
  const terms = stored && stored.bucket !== '' ? columnTermsOf(stored.doc, [column]) : [];
  if (terms.length === 0) return [];
  const digest = createHash('sha1').update(text).digest('hex');
  return terms.map((term) => ({ objectId, digest, term, member: memberOf(readColumnTerm(term), objectId) }));
}

async function dropOthers(parts: IndexParts, of: ColumnShard, members: ReadonlySet<string>): Promise<void> {
  const index = parts.keys.column(of.app, of.shard, of.column);
  let cursor = '0';
  do {
    const [next, flat] = await parts.redis.zscan(index, cursor, 'COUNT', SCAN_COUNT);
    const others = flat.filter((member, i) => i % 2 === 0 && !members.has(member));
    if (others.length > 0) await dropStale(parts, of, others);
    cursor = next;
  } while (cursor !== '0');
}

/** Those that were written meanwhile stay. */
async function dropStale({ redis, keys }: IndexParts, of: ColumnShard, others: readonly string[]): Promise<void> {
  const records = keys.records(of.app, of.shard);
  const ids = others.map(objectIdOf);
  const texts = await redis.hmget(records, ...ids);
  const entries = others.flatMap((member, i) => {
    const record = { objectId: ids[i] ?? '', text: texts[i] ?? '' };
    return valuesIn(of.column, record).some((value) => value.member === member) ? [] : [{ ...record, member }];
  });
  if (entries.length === 0) return;
  await dropStaleValues(redis, { records, index: keys.column(of.app, of.shard, of.column), entries });
}
