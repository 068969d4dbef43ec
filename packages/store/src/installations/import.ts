import type { JsonObject } from '@pushfleet/domain';
import { shardOf } from '../keys';
import { defineScript, runScript } from '../redis';
import { lookUpsOf } from './look-ups';
import { readInstallation } from './read';
import { encodeInstallation, indexEntryOf, type IndexEntry, type StoredInstallation } from './stored';
import { nameBucket, replaceInstallation, type Writer } from './write';

/** An installation as an export holds it: its own objectId, createdAt and updatedAt in the document. */
export interface ImportedInstallation {
  readonly objectId: string;
  readonly doc: JsonObject;
}

export interface ImportCounts {
  readonly created: number;
  readonly replaced: number;
}

/**
 * Stores the records of one shard that are not there yet, with their index entries.
 * KEYS record hash, then index keys; ARGV number of records, then for each: objectId, text, number of places, and for
 * each place the number of its key and the member. Answers the positions of records that exist.
 */
const insertScript = defineScript(`
local cursor = 0
local function take() cursor = cursor + 1; return ARGV[cursor] end
local existing = {}
for i = 1, tonumber(take()) do
  local id, text, places = take(), take(), tonumber(take())
  local isNew = redis.call('HSETNX', KEYS[1], id, text) == 1
  if not isNew then existing[#existing + 1] = i end
  for _ = 1, places do
    local key, member = KEYS[tonumber(take())], take()
    if isNew then redis.call('ZADD', key, 0, member) end
  end
end
return existing`);

/**
 * Stores many installations at once: a handful of commands per shard instead of several per record. Records that exist
 * are replaced one by one. Running it again with the same rows changes nothing.
 */
export async function importInstallations(
  writer: Writer,
  app: string,
  rows: readonly ImportedInstallation[],
): Promise<ImportCounts> {
  await writeLookUps(writer, app, rows);
  const byShard = new Map<number, StoredInstallation[]>();
  for (const { objectId, doc } of rows) {
    const shard = shardOf(objectId);
    const group = byShard.get(shard);
    const stored = { objectId, doc, isRetired: false };
    if (group) group.push(stored);
    else byShard.set(shard, [stored]);
  }
  const existing = await Promise.all([...byShard].map(([shard, group]) => insert(writer, { app, shard, group })));
  const replaced = existing.flat();
  for (const next of replaced) await replace(writer, app, next);
  return { created: rows.length - replaced.length, replaced: replaced.length };
}

/** Written before the records, so that no record is unreachable; one command for all values of a key. */
async function writeLookUps(
  { redis, keys }: Writer,
  app: string,
  rows: readonly ImportedInstallation[],
): Promise<void> {
  const byKey = new Map<string, string[]>();
  for (const { objectId, doc } of rows) {
    for (const [kind, value] of lookUpsOf({ doc })) {
      const { key, field } = keys.lookUp(app, kind, value);
      const pairs = byKey.get(key);
      if (pairs) pairs.push(field, objectId);
      else byKey.set(key, [field, objectId]);
    }
  }
  await Promise.all([...byKey].map(([key, pairs]) => redis.hset(key, ...pairs)));
}

interface ShardGroup {
  readonly app: string;
  readonly shard: number;
  readonly group: readonly StoredInstallation[];
}

/** The installations of the group that were there before. */
async function insert(writer: Writer, { app, shard, group }: ShardGroup): Promise<readonly StoredInstallation[]> {
  const { keys } = writer;
  const numbers = new Map<string, number>([[keys.records(app, shard), 1]]);
  const numberOf = (key: string): number => {
    const known = numbers.get(key) ?? numbers.size + 1;
    numbers.set(key, known);
    return known;
  };
  const args: (string | number)[] = [group.length];
  for (const stored of group) {
    const entry = indexEntryOf(stored, writer.vendors);
    if (entry) await nameBucket(writer, app, entry.bucket);
    const places = entry ? placesOf(entry, stored.objectId) : [];
    args.push(stored.objectId, encodeInstallation(stored, entry), places.length);
    for (const [channel, member] of places) {
      const bucket = entry?.bucket ?? '';
      const key =
        channel === undefined ? keys.bucket(app, shard, bucket) : keys.subscribers(app, shard, { bucket, channel });
      args.push(numberOf(key), member);
    }
  }
  const positions = await runScript(writer.redis, insertScript, { keys: [...numbers.keys()], args });
  return (positions as readonly number[]).flatMap((position) => group[position - 1] ?? []);
}

const placesOf = (
  entry: IndexEntry,
  objectId: string,
): readonly (readonly [channel: string | undefined, member: string])[] => [
  [undefined, entry.address],
  ...entry.channels.map((channel) => [channel, objectId] as const),
];

async function replace(writer: Writer, app: string, next: StoredInstallation): Promise<void> {
  for (;;) {
    const read = await readInstallation(writer, app, next.objectId);
    const isRetired =
      read?.stored.isRetired === true && read.stored.doc['registrationId'] === next.doc['registrationId'];
    const change = {
      app,
      objectId: next.objectId,
      oldText: read?.text ?? '',
      old: read?.stored,
      next: { ...next, isRetired },
    };
    if (await replaceInstallation(writer, change)) return;
  }
}
