import { groupBy } from '@pushfleet/domain';
import { fieldsByCursor } from '../../kit/hash-fields';
import { luaScript, nothing } from '../../kit/lua/script';
import { SHARDS } from '../../kit/shards';
import { areHeld } from '../column-index/holders';
import { isColumnTerm } from '../column-index/terms';
import { decodeShards, encodeShards, type ChannelShards, type IndexParts } from './entries';

/**
 * Who writes an entry writes its record within this time, or writes the entry again behind it: an entry in doubt for so long,
 * and not written meanwhile, stands for nobody.
 */
export const DOUBT_MS = 600_000;

const channelsAlive = luaScript('installations/channels-alive', {
  params: { records: 'key', begin: 'text', buckets: 'texts', channels: 'texts' },
  answer: (alive: readonly number[]) => alive,
});

const shrinkChannel = luaScript('installations/shrink-channel', {
  params: { shards: 'key', doubts: 'key', channel: 'text', held: 'text', doubt: 'text', left: 'text' },
  answer: nothing,
});

/** A channel that was everywhere is kept as a list again once it is in fewer shards than this. */
const LISTED_AGAIN = 64;

interface Place {
  readonly app: string;
  /** Of the names of the channels. */
  readonly shard: number;
  readonly now: number;
}

/** Doubts entries without a subscriber, and removes those that have been in doubt for long. */
export async function clearStaleEntries(parts: IndexParts, app: string, place: Omit<Place, 'app'>): Promise<void> {
  const { redis, keys } = parts;
  const key = keys.channelShards(app, place.shard);
  if ((await redis.exists(key)) === 0) return;
  const buckets = await redis.smembers(keys.buckets(app));
  for await (const fields of fieldsByCursor(redis, key))
    await clearSome(parts, { ...place, app, buckets, held: new Map(fields) });
}

interface Some extends Place {
  readonly buckets: readonly string[];
  /** The text of each channel. */
  readonly held: ReadonlyMap<string, string>;
}

async function clearSome({ redis, keys }: IndexParts, some: Some): Promise<void> {
  const { app, shard, now, held } = some;
  const doubts = await redis.hmget(keys.channelDoubts(app, shard), ...held.keys());
  const alive = await aliveShards({ redis, keys }, some);
  for (const [i, [channel, text]] of [...held].entries()) {
    const { length } = decodeShards(text);
    const left = alive.get(channel) ?? [];
    if (left.length >= (length === SHARDS ? LISTED_AGAIN : length)) continue;
    const doubt = doubts[i];
    if (typeof doubt !== 'string') await redis.hset(keys.channelDoubts(app, shard), channel, now);
    else if (now - Number(doubt) >= DOUBT_MS)
      await shrinkChannel(redis, {
        shards: keys.channelShards(app, shard),
        doubts: keys.channelDoubts(app, shard),
        channel,
        held: text,
        doubt,
        left: encodeShards(left),
      });
  }
}

/** Those of the shards in which each channel has subscribers now. */
async function aliveShards(
  { redis, keys }: IndexParts,
  { app, buckets, held }: Some,
): Promise<ReadonlyMap<string, ChannelShards>> {
  const pairs = [...held].flatMap(([channel, text]) => decodeShards(text).map((shard) => ({ channel, shard })));
  const alive = new Map<string, number[]>();
  await Promise.all(
    Array.from(
      groupBy(pairs, ({ shard }) => shard),
      async ([shard, group]) => {
        const names = group.map(({ channel }) => channel);
        const [terms, channels] = [names.filter(isColumnTerm), names.filter((name) => !isColumnTerm(name))];
        const begin = keys.subscriptions(app, shard);
        const answers = [
          ...(terms.length === 0 ? [] : await areHeld({ redis, keys }, { app, shard, terms })),
          ...(await channelsAlive(redis, { records: keys.records(app, shard), begin, buckets, channels })),
        ];
        [...terms, ...channels].forEach((channel, i) => {
          if (answers[i] !== 1) return;
          const shards = alive.get(channel);
          if (shards) shards.push(shard);
          else alive.set(channel, [shard]);
        });
      },
    ),
  );
  return alive;
}
