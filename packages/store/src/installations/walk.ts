import { compileWhere, type JsonObject, type LanePosition, type RouteBucket } from '@pushfleet/domain';
import { shardOf } from '../keys';
import { defineScript, runScript } from '../redis';
import type { Reader } from './read';
import { after, decodeInstallation, only, splitAddress } from './stored';

export interface WalkedDevice {
  readonly objectId: string;
  /** Empty on channels that need none. */
  readonly registrationId: string;
}

/** A range of the walk order that holds one vendor batch. */
export interface WalkedPage {
  readonly devices: readonly WalkedDevice[];
  /** The last device looked at, matching or not; undefined when the walk is over. */
  readonly end: LanePosition | undefined;
}

export interface Walk {
  readonly app: string;
  readonly bucket: RouteBucket;
  /** Start behind this device. */
  readonly from: LanePosition;
  /** The shard after the last. */
  readonly toShard: number;
  readonly subscriptions?: readonly string[] | undefined;
  readonly predicate?: JsonObject | undefined;
  /** Devices of one page. */
  readonly pageSize: number;
}

/**
 * The subscribers of any of some channels, behind a given objectId, with their addresses.
 * KEYS bucket, subscriber sets; ARGV lower bound, limit.
 */
const subscribedScript = defineScript(`
local seen, ids, limit = {}, {}, tonumber(ARGV[2])
for i = 2, #KEYS do
  for _, id in ipairs(redis.call('ZRANGEBYLEX', KEYS[i], ARGV[1], '+', 'LIMIT', 0, limit)) do
    if not seen[id] then seen[id] = true; ids[#ids + 1] = id end
  end
end
if #KEYS > 2 then table.sort(ids) end
local out = {}
for i = 1, math.min(#ids, limit) do
  local found = redis.call('ZRANGEBYLEX', KEYS[1], '[' .. ids[i] .. ' ', '(' .. ids[i] .. '!', 'LIMIT', 0, 1)
  out[i] = found[1] or (ids[i] .. ' ')
end
return out`);

interface Chunk {
  readonly shard: number;
  readonly addresses: readonly string[];
}

/** Shards read ahead at once, so that an audience spread thinly over many shards costs few round trips. */
const READ_AHEAD = 8;

/** Walks one bucket in (shard, objectId) order, page by page, in constant memory. */
export class AudienceWalk {
  private readonly matches: ((doc: JsonObject) => boolean) | undefined;
  private readonly chunks: AsyncGenerator<Chunk>;
  private current: Chunk = { shard: 0, addresses: [] };

  constructor(
    private readonly reader: Reader,
    private readonly walk: Walk,
  ) {
    this.matches = walk.predicate && compileWhere(walk.predicate);
    this.chunks = this.readChunks();
  }

  async next(): Promise<WalkedPage> {
    const devices: WalkedDevice[] = [];
    let end: LanePosition | undefined;
    while (devices.length < this.walk.pageSize) {
      if (this.current.addresses.length === 0) {
        const chunk = await this.chunks.next();
        if (chunk.done === true) return { devices, end: undefined };
        this.current = chunk.value;
      }
      const { shard, addresses } = this.current;
      const taken = addresses.slice(0, this.walk.pageSize - devices.length).map(splitAddress);
      this.current = { shard, addresses: addresses.slice(taken.length) };
      for (const device of await this.filter(shard, taken)) devices.push(device);
      end = { shard, objectId: taken.at(-1)?.objectId ?? '' };
    }
    return { devices, end };
  }

  private async *readChunks(): AsyncGenerator<Chunk> {
    const ahead: Promise<Chunk>[] = [];
    let { shard: nextShard, objectId: behind } = this.walk.from;
    for (;;) {
      while (ahead.length < READ_AHEAD && nextShard < this.walk.toShard) {
        const chunk = this.readChunk(nextShard, behind);
        // A failure surfaces when the walk gets here; until then nobody listens.
        chunk.catch(() => undefined);
        ahead.push(chunk);
        nextShard += 1;
        behind = '';
      }
      let chunk = await ahead.shift();
      if (!chunk) return;
      while (chunk.addresses.length > 0) {
        yield chunk;
        if (chunk.addresses.length < this.walk.pageSize) break;
        chunk = await this.readChunk(chunk.shard, splitAddress(chunk.addresses.at(-1) ?? '').objectId);
      }
    }
  }

  private async readChunk(shard: number, behind: string): Promise<Chunk> {
    const { app, bucket, subscriptions, pageSize } = this.walk;
    const { redis, keys } = this.reader;
    const bucketKey = keys.bucket(app, shard, bucket);
    if (!subscriptions) {
      return { shard, addresses: await redis.zrangebylex(bucketKey, after(behind), '+', 'LIMIT', 0, pageSize) };
    }
    const sets = subscriptions.map((channel) => keys.subscribers(app, shard, { bucket, channel }));
    const found = await runScript(redis, subscribedScript, {
      keys: [bucketKey, ...sets],
      args: [after(behind), pageSize],
    });
    return { shard, addresses: found as string[] };
  }

  private async filter(shard: number, devices: readonly WalkedDevice[]): Promise<readonly WalkedDevice[]> {
    const { matches } = this;
    if (!matches) return devices;
    const { redis, keys } = this.reader;
    const texts = await redis.hmget(keys.records(this.walk.app, shard), ...devices.map(({ objectId }) => objectId));
    return devices.filter(({ objectId, registrationId }, i) => {
      const text = texts[i];
      return (
        typeof text === 'string' && matches({ objectId, ...decodeInstallation(objectId, text, registrationId).doc })
      );
    });
  }
}

/** The addresses that devices have now in one bucket; those that left it are missing. */
export async function readAddresses(
  { redis, keys }: Reader,
  { app, bucket }: { app: string; bucket: RouteBucket },
  objectIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    objectIds.map((objectId) => {
      const [min, max] = only(objectId);
      return redis.zrangebylex(keys.bucket(app, shardOf(objectId), bucket), min, max, 'LIMIT', 0, 1);
    }),
  );
  return new Map(
    found.flat().map((address) => {
      const { objectId, registrationId } = splitAddress(address);
      return [objectId, registrationId];
    }),
  );
}
