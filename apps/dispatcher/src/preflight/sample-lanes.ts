import { callsFor, groupBy, type DiscardReason, type Lane, type RouteBucket } from '@pushfleet/domain';
import { ALL_SHARDS, SHARDS, type PreflightCount } from '@pushfleet/store';
import { wayOf } from './count-direct';
import { estimateOf, marginOf, type Sample } from './margin';
import { addPage, addTally, isCalledFor, newTally, sendableOf, type Tally } from './tally';
import type { LanesToCount } from './walk-lanes';

/** Devices that are looked at, about; an audience with fewer is counted whole. */
const ENOUGH_DEVICES = 20_000;
/** No further shard is looked at after this time. */
const LONGEST_MS = 500;
/** Shards that are looked at together at most. */
const AT_ONCE = 8;
const PAGE_SIZE = 1000;

export interface LanesToSample extends LanesToCount {
  readonly now: () => number;
  /** Devices that are looked at, about; absent: as many as take no second. */
  readonly enoughDevices?: number | undefined;
}

/** What was seen of the devices of one bucket, by shard. */
type Seen = Map<number, Tally & { lookedAt: number }>;

/**
 * Counts an audience by the devices of some shards. Which shard a device is in is a matter of chance, so that they are a
 * random sample.
 */
export async function sampleLanes(parts: LanesToSample, lanes: readonly Lane[]): Promise<readonly PreflightCount[]> {
  if (lanes.length === 0) return [];
  const buckets = groupBy(lanes, ({ bucket }) => bucket);
  const seen = await lookAtShards(parts, buckets);
  const sizes = await sizesOf(parts);
  return [...buckets].flatMap(([bucket, group]) =>
    countsOf(parts, group, { seen: seen.get(bucket) ?? new Map(), size: sizes?.get(bucket) }),
  );
}

/** Not known where devices may be subscribed to several of the channels. */
async function sizesOf({ store, app, audience }: LanesToCount): Promise<ReadonlyMap<RouteBucket, number> | undefined> {
  const { subscriptions } = audience;
  if ((subscriptions?.length ?? 0) > 1) return undefined;
  return store.installations.bucketSizes(app, audience);
}

async function lookAtShards(
  parts: LanesToSample,
  buckets: ReadonlyMap<RouteBucket, readonly Lane[]>,
): Promise<ReadonlyMap<RouteBucket, Seen>> {
  const seen = new Map([...buckets.keys()].map((bucket): [RouteBucket, Seen] => [bucket, new Map()]));
  const shards = inRandomOrder([...ALL_SHARDS]);
  const until = parts.now() + LONGEST_MS;
  const enough = parts.enoughDevices ?? ENOUGH_DEVICES;
  let lookedAt = 0;
  while (shards.length > 0 && lookedAt < enough && (lookedAt === 0 || parts.now() < until)) {
    const next = nextRound(enough - lookedAt, { shards: SHARDS - shards.length, lookedAt });
    await Promise.all(
      shards.splice(0, next).map(async (shard) => {
        for (const [bucket, [lane]] of buckets) {
          const looked = await lookAt(parts, lane as Lane, shard);
          seen.get(bucket)?.set(shard, looked);
          lookedAt += looked.lookedAt;
        }
      }),
    );
  }
  return seen;
}

/** Shards that hold what is still missing, if they hold as many devices as those so far; the first one tells. */
export function nextRound(missing: number, soFar: { readonly shards: number; readonly lookedAt: number }): number {
  if (soFar.shards === 0) return 1;
  return Math.min(AT_ONCE, Math.ceil((missing * soFar.shards) / Math.max(1, soFar.lookedAt)));
}

async function lookAt(
  { store: { installations }, app, audience, signal }: LanesToCount,
  { bucket, channel, discard }: Lane,
  shard: number,
): Promise<Tally & { lookedAt: number }> {
  const { subscriptions, predicate } = audience;
  const range = { from: { shard, objectId: '' }, toShard: shard + 1, pageSize: PAGE_SIZE };
  const walk = installations.walk({ app, bucket, ...range, subscriptions, predicate, signal });
  const tally = { ...newTally(), lookedAt: 0 };
  for (let isOver = false; !isOver;) {
    const page = await walk.next();
    tally.lookedAt += page.lookedAt;
    const objectIds = page.devices.map(({ objectId }) => objectId);
    await addPage(tally, installations, { app, channel, discard, objectIds });
    isOver = page.end === undefined;
  }
  return tally;
}

/** The devices of a bucket, lane by lane. */
function countsOf(
  { ways }: LanesToCount,
  lanes: readonly Lane[],
  { seen, size }: { readonly seen: Seen; readonly size: number | undefined },
): readonly PreflightCount[] {
  const all = { ...newTally(), lookedAt: 0 };
  for (const one of seen.values()) {
    addTally(all, one);
    all.lookedAt += one.lookedAt;
  }
  // Whoever saw all of them need not ask the other shards.
  const share = size !== undefined && all.lookedAt >= size ? 1 : seen.size / SHARDS;
  const sampleOf = (found: number): Sample => ({ found, lookedAt: all.lookedAt, of: size, share });
  const [{ channel, profile, discard }] = lanes as [Lane, ...Lane[]];
  const calls = lanes.map((lane) => {
    if (!isCalledFor(lane)) return 0;
    const estimate = (estimateOf(sampleOf(all.matched)) * (lane.toShard - lane.fromShard)) / SHARDS;
    return callsFor(share < 1 ? Math.round(estimate) : matchedIn(lane, seen), wayOf(ways, lane));
  });
  const counted = [all.matched, sendableOf(all), ...all.discarded.values()];
  return [
    {
      channel,
      ...(discard === undefined ? { profile } : {}),
      ...estimated(all, sampleOf),
      calls: calls.reduce((a, b) => a + b, 0),
      margin: Math.max(...counted.map((found) => marginOf(sampleOf(found)))),
    },
  ];
}

const matchedIn = ({ fromShard, toShard }: Lane, seen: Seen): number =>
  [...seen].reduce((sum, [shard, { matched }]) => sum + (shard >= fromShard && shard < toShard ? matched : 0), 0);

/** Estimates add up like what they stand for. */
function estimated(
  { matched, discarded }: Tally,
  sampleOf: (found: number) => Sample,
): Pick<PreflightCount, 'matched' | 'sendable' | 'discarded'> {
  const refused = [...discarded].map(([reason, count]): [DiscardReason, number] => [
    reason,
    estimateOf(sampleOf(count)),
  ]);
  const all = estimateOf(sampleOf(matched));
  const left = refused.reduce((sum, [, count]) => sum - count, all);
  return { matched: all, sendable: Math.max(0, left), discarded: Object.fromEntries(refused) };
}

function inRandomOrder(shards: number[]): number[] {
  for (let i = shards.length - 1; i > 0; i -= 1) {
    const j = Math.floor(Math.random() * (i + 1));
    [shards[i], shards[j]] = [shards[j] as number, shards[i] as number];
  }
  return shards;
}
