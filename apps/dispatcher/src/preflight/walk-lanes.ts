import type { Audience, Lane } from '@pushfleet/domain';
import { HalfPace } from '@pushfleet/service-kit';
import type { PreflightCount, Store } from '@pushfleet/store';
import { wayOf, type Ways } from './count-direct';
import { addPage, exactCount, isCalledFor, newTally } from './tally';

export interface LanesToCount {
  readonly store: Store;
  readonly app: string;
  readonly audience: Audience;
  readonly ways: Ways;
  readonly signal: AbortSignal;
}

/** Walks lanes as workers do, page by page, and looks at every device. */
export async function walkLanes(
  walk: LanesToCount,
  lanes: readonly Lane[],
  onLookedAt: (devices: number) => void,
): Promise<readonly PreflightCount[]> {
  const counts: PreflightCount[] = [];
  for (const lane of lanes) counts.push(await walkLane(walk, lane, onLookedAt));
  return counts;
}

async function walkLane(
  { store: { installations }, app, audience, ways, signal }: LanesToCount,
  { channel, profile, discard, bucket, fromShard, toShard }: Lane,
  onLookedAt: (devices: number) => void,
): Promise<PreflightCount> {
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
  const tally = newTally();
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
  return exactCount(discard === undefined ? { channel, profile } : { channel }, tally, calls);
}
