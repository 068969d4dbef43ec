import { channelCovers } from '@pushfleet/domain';
import { isFewShards, type NewPush, type Store } from '@pushfleet/store';

/** An audience is planned shard by shard, which takes as long as many single devices. */
const AUDIENCE_COST = 4;
/** That of a push to named devices, or to few. */
export const NAMED_COST = 1;

export type CostOf = (push: Pick<NewPush, 'app' | 'audience'>) => Promise<number>;

/**
 * How much of the share of its account a push takes. Most channels have few subscribers, who are looked up like devices that are
 * named; an indexed column may have its value in many devices, so that its index is asked.
 */
export function openCostOf({ narrow }: Pick<Store['installations']['channels'], 'narrow'>): CostOf {
  return async ({ app, audience }) => {
    const isNamed = audience.addressed ?? audience.devices;
    if (isNamed || channelCovers(audience).length > 0) return NAMED_COST;
    if (!audience.predicate) return AUDIENCE_COST;
    // A share is no reason to refuse a push: what an index cannot tell, the dispatcher meets when it plans.
    const found = await narrow(app, audience).catch(() => undefined);
    return found && isFewShards(found) ? NAMED_COST : AUDIENCE_COST;
  };
}
