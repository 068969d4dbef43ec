import { compileCondition, type JsonObject, type LanePosition, type RouteBucket } from '@pushfleet/domain';
import { shardOf } from '../kit/shards';
import type { ListReader } from '../kit/lists/list-reader';
import { luaScript } from '../kit/lua/script';
import { inTurns, openTurn, type Turn } from './in-turns';
import { toInstallation, type Reader } from './read';
import { RetiredSince } from './retired-since';
import { after, decodeInstallation, only, splitAddress } from './stored';
import { textTest } from './text-test';

export interface WalkedDevice {
  readonly objectId: string;
  /** Empty on channels that need none. */
  readonly registrationId: string;
}

/** A range of the walk order that holds one vendor batch. */
export interface WalkedPage {
  readonly devices: readonly WalkedDevice[];
  /** Devices read for this page, matching or not: what a slice is measured by. */
  readonly lookedAt: number;
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
  /** Leaves out what was retired later, in milliseconds since the epoch. */
  readonly retiredUntil?: number | undefined;
  /** Devices of one page. */
  readonly pageSize: number;
  /** Ends the walk. */
  readonly signal?: AbortSignal | undefined;
}

const subscribedBehind = luaScript('installations/subscribed-behind', {
  params: { bucket: 'key', subscribers: 'keys', behind: 'text', limit: 'number' },
  answer: ([bound, ...addresses]: readonly [string, ...string[]]) => ({ bound, addresses }),
});

/** Read from a set at least, so that many channels do not make many tiny reads. */
const MIN_READ = 50;

interface Chunk {
  readonly shard: number;
  readonly addresses: readonly string[];
  /** The shard goes on behind this device. */
  readonly behind?: string | undefined;
}

/** Shards read at once at most, so that an audience spread thinly over many shards costs few round trips. */
const MAX_READ_AHEAD = 8;

/** A page ends after this many devices even when few of them match, so that its lane yields and is folded. */
const MAX_LOOKED_AT = 20_000;

interface WalkReader extends Reader {
  readonly lists: ListReader;
}

/** Walks one bucket in (shard, objectId) order, page by page, in constant memory. */
export class AudienceWalk {
  private readonly matches: ((doc: JsonObject) => boolean | Promise<boolean>) | undefined;
  private readonly turn: Turn;
  private readonly mayMatch: ((text: string) => boolean) | undefined;
  private readonly leftOut: RetiredSince | undefined;
  private readonly chunks: AsyncGenerator<Chunk>;
  private current: Chunk = { shard: 0, addresses: [] };
  /** Addresses of it that are in pages. */
  private taken = 0;

  constructor(
    private readonly reader: WalkReader,
    private readonly walk: Walk,
  ) {
    this.turn = openTurn(walk.signal);
    this.matches = walk.predicate && inTurns(compileCondition(walk.predicate), walk.signal, this.turn);
    this.mayMatch = walk.predicate && textTest(walk.predicate);
    const { app, retiredUntil } = walk;
    this.leftOut = retiredUntil === undefined ? undefined : new RetiredSince(reader, { app, since: retiredUntil });
    this.chunks = this.readChunks();
  }

  async next(): Promise<WalkedPage> {
    const page = await this.read();
    const leftOut = await this.leftOut?.upToNow();
    return leftOut ? { ...page, devices: page.devices.filter(({ objectId }) => !leftOut.has(objectId)) } : page;
  }

  private async read(): Promise<WalkedPage> {
    const devices: WalkedDevice[] = [];
    let end: LanePosition | undefined;
    let lookedAt = 0;
    while (devices.length < this.walk.pageSize && lookedAt < MAX_LOOKED_AT) {
      if (this.taken === this.current.addresses.length) {
        const chunk = await this.chunks.next();
        if (chunk.done === true) return { devices, lookedAt, end: undefined };
        [this.current, this.taken] = [chunk.value, 0];
      }
      const { shard } = this.current;
      const taken = this.take(this.walk.pageSize - devices.length);
      lookedAt += taken.length;
      for (const device of await this.filter(shard, taken)) devices.push(device);
      end = { shard, objectId: taken.at(-1)?.objectId ?? '' };
    }
    return { devices, lookedAt, end };
  }

  private take(most: number): readonly WalkedDevice[] {
    const { addresses } = this.current;
    const from = this.taken;
    this.taken = Math.min(addresses.length, from + most);
    const devices: WalkedDevice[] = [];
    for (let i = from; i < this.taken; i += 1) devices.push(splitAddress(addresses[i] as string));
    return devices;
  }

  private async *readChunks(): AsyncGenerator<Chunk> {
    const ahead: Promise<Chunk>[] = [];
    let readAhead = 1;
    let { shard: nextShard, objectId: behind } = this.walk.from;
    for (;;) {
      while (ahead.length < readAhead && nextShard < this.walk.toShard) {
        const chunk = this.readChunk(nextShard, behind);
        // A failure surfaces when the walk gets here; until then nobody listens.
        chunk.catch(() => undefined);
        ahead.push(chunk);
        nextShard += 1;
        behind = '';
      }
      let chunk = await ahead.shift();
      if (!chunk) return;
      readAhead = this.shardsPerPage(chunk);
      for (;;) {
        if (chunk.addresses.length > 0) yield chunk;
        if (chunk.behind === undefined) break;
        chunk = await this.readChunk(chunk.shard, chunk.behind);
      }
    }
  }

  /** What is read and not needed yet lives long enough to be copied by the garbage collector: no more than a page. */
  private shardsPerPage({ addresses }: Chunk): number {
    return Math.min(MAX_READ_AHEAD, Math.ceil(this.walk.pageSize / Math.max(1, addresses.length)));
  }

  private async readChunk(shard: number, behind: string): Promise<Chunk> {
    const { app, bucket, subscriptions, pageSize } = this.walk;
    const { lists, keys } = this.reader;
    const bucketKey = keys.bucket(app, shard, bucket);
    if (subscriptions) return this.readSubscribers(shard, behind, { bucketKey, subscriptions });
    const addresses = await lists.rangeByLex(bucketKey, after(behind), pageSize);
    const last = addresses.length < pageSize ? undefined : addresses.at(-1);
    return { shard, addresses, behind: last && splitAddress(last).objectId };
  }

  private async readSubscribers(
    shard: number,
    behind: string,
    { bucketKey, subscriptions }: { bucketKey: string; subscriptions: readonly string[] },
  ): Promise<Chunk> {
    const { app, bucket, pageSize } = this.walk;
    const sets = subscriptions.map((channel) => this.reader.keys.subscribers(app, shard, { bucket, channel }));
    const limit = Math.min(pageSize, Math.max(MIN_READ, Math.ceil(pageSize / sets.length)));
    const { bound, addresses } = await subscribedBehind(this.reader.redis, {
      bucket: bucketKey,
      subscribers: sets,
      behind: after(behind),
      limit,
    });
    return { shard, addresses: addresses.sort(), behind: bound === '' ? undefined : bound };
  }

  private async filter(shard: number, devices: readonly WalkedDevice[]): Promise<readonly WalkedDevice[]> {
    const { matches } = this;
    if (!matches) return devices;
    const { redis, keys } = this.reader;
    const texts = await redis.hmget(keys.records(this.walk.app, shard), ...devices.map(({ objectId }) => objectId));
    const found: WalkedDevice[] = [];
    for (const [i, device] of devices.entries()) {
      const text = texts[i];
      if (this.turn.isOver()) await this.turn.pause();
      if (typeof text !== 'string' || this.mayMatch?.(text) === false) continue;
      const stored = decodeInstallation(device.objectId, text, device.registrationId);
      if (stored && (await matches(toInstallation(stored)))) found.push(device);
    }
    return found;
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
