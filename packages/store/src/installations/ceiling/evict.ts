import { ALL_SHARDS, SHARDS, shardOf } from '../../kit/shards';
import { atOnce } from '../at-once';
import { readVersion } from '../read';
import { indexedEntryOf } from '../stored';
import { replaceInstallation, type Writer } from '../write';
import { covers, minus, NOTHING, plus, type Amount } from './amount';
import { columnTermsOf } from '../column-index/terms';
import { bytesOf, INDEXED_VALUE_BYTES } from './bytes-of';
import type { Eviction } from './eviction';
import { markIn } from './mark';
import { inOrderOfEviction, type Unconfirmed } from './victims';

/** Looked at in each shard at least: a thousand of an app show who has the most of them. */
const SAMPLED = 4;
const AT_ONCE = 16;

/** Removes unconfirmed installations until so much is free, as far as there are some; resolves with what was freed. */
export async function evictUnconfirmed(
  writer: Writer,
  app: string,
  { needed, atMost, averageBytes }: Eviction,
): Promise<Amount> {
  const victims = inOrderOfEviction(await sampleOf(writer, app, atMost)).slice(0, atMost);
  let freed = NOTHING;
  for (let at = 0; at < victims.length && !covers(freed, needed);) {
    const missing = minus(needed, freed);
    const count = Math.max(1, missing.installations, Math.ceil(missing.bytes / averageBytes));
    const some = victims.slice(at, at + count);
    at += some.length;
    await atOnce(AT_ONCE, some, async ({ objectId }) => {
      const bytes = await evict(writer, app, objectId);
      if (bytes !== undefined) freed = plus(freed, { installations: 1, bytes });
    });
  }
  return freed;
}

async function sampleOf({ redis, keys }: Writer, app: string, count: number): Promise<readonly Unconfirmed[]> {
  const each = Math.max(SAMPLED, Math.ceil((2 * count) / SHARDS));
  const shards = await Promise.all(
    ALL_SHARDS.map((shard) => redis.zrandmember(keys.unconfirmed(app, shard), each, 'WITHSCORES')),
  );
  return shards.flatMap((flat) =>
    flat.flatMap((objectId, i) => (i % 2 === 0 ? [{ objectId, ...markIn(Number(flat[i + 1])) }] : [])),
  );
}

/** As any other removal, but for what was confirmed a moment ago. Resolves with the bytes that it took. */
async function evict(writer: Writer, app: string, objectId: string): Promise<number | undefined> {
  const version = await readVersion(writer, app, objectId);
  const { text, stored } = version;
  if (!stored) {
    await writer.redis.zrem(writer.keys.unconfirmed(app, shardOf(objectId)), objectId);
    return undefined;
  }
  const eviction = { app, version, next: undefined, standing: 'evicted', isForGood: true } as const;
  const isEvicted = await replaceInstallation(writer, eviction);
  if (!isEvicted) return undefined;
  const { columns } = await writer.columns.of(app);
  return bytesOf(text, indexedEntryOf(stored)) + INDEXED_VALUE_BYTES * columnTermsOf(stored.doc, columns).length;
}
