import { groupBy, type Audience, type Lane } from '@pushfleet/domain';
import { HalfPace } from '@pushfleet/service-kit';
import type { PreflightCount, Store } from '@pushfleet/store';
import { wayOf, type Ways } from './count-direct';
import { addPage, exactCount, isCalledFor, newTally, type Tally } from './tally';

export interface LanesToCount {
  readonly store: Store;
  readonly app: string;
  readonly audience: Audience;
  readonly ways: Ways;
  readonly signal: AbortSignal;
}

/** Walks lanes as workers do, page by page, and looks at every device; those of one bucket are counted together. */
export async function walkLanes(
  walk: LanesToCount,
  lanes: readonly Lane[],
  onLookedAt: (devices: number) => void,
): Promise<readonly PreflightCount[]> {
  const counts: PreflightCount[] = [];
  for (const group of groupBy(lanes, ({ bucket }) => bucket).values()) {
    const tally = newTally();
    let calls = 0;
    for (const lane of group) calls += await walkLane(walk, lane, { tally, onLookedAt });
    const [{ channel, profile, discard }] = group as [Lane, ...Lane[]];
    counts.push(exactCount(discard === undefined ? { channel, profile } : { channel }, tally, calls));
  }
  return counts;
}

interface LaneWalk {
  readonly tally: Tally;
  onLookedAt(devices: number): void;
}

/** Adds what stands in a lane; resolves to the calls that it takes. */
async function walkLane(
  { store: { installations }, app, audience, ways, signal }: LanesToCount,
  { channel, profile, discard, bucket, fromShard, toShard }: Lane,
  { tally, onLookedAt }: LaneWalk,
): Promise<number> {
  const { pageDevices, maxBatch } = wayOf(ways, { channel, profile });
  const { subscriptions, predicate } = audience;
  const from = { shard: fromShard, objectId: '' };
  const walk = installations.walk({
    app,
    bucket,
    from,
    toShard,
    subscriptions,
    predicate,
    pageSize: pageDevices,
    signal,
  });
  let calls = 0;
  const countPage = async (): Promise<boolean> => {
    signal.throwIfAborted();
    const { devices, lookedAt, end } = await walk.next();
    const objectIds = devices.map(({ objectId }) => objectId);
    await addPage(tally, installations, { app, channel, discard, objectIds });
    if (isCalledFor({ channel, discard })) calls += Math.ceil(devices.length / maxBatch);
    onLookedAt(lookedAt);
    return end === undefined;
  };
  const pace = new HalfPace();
  for (let isOver = false; !isOver;) isOver = await pace.portion(countPage);
  return calls;
}
