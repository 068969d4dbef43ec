import { fatesOf, type App, type Audience, type ChannelTraits } from '@pushfleet/domain';
import {
  isFewShards,
  isRedisAway,
  planFound,
  planNamed,
  type DirectPlan,
  type NarrowedDevice,
  type NewPush,
  type Store,
} from '@pushfleet/store';

export interface PlanPorts {
  readonly installations: Pick<Store['installations'], 'addressed' | 'channels'>;
  readonly profiles: Pick<Store['profiles'], 'names'>;
  readonly traits: ReadonlyMap<string, ChannelTraits>;
  /** Called when a push could not be planned for a reason of its own: a dispatcher takes it. */
  onUnplanned(error: unknown): void;
}

/** The plan of a push to few devices, which it names or whose channels it names; undefined when a dispatcher has to make it. */
export type PlanAtOnce = (app: App, push: NewPush) => Promise<DirectPlan | undefined>;

/** Devices that are looked up before a push is answered, and channels whose subscribers are. */
const FEW = 16;

/**
 * A push to few devices needs no dispatcher: whoever takes it finds them and writes the plan with the record. Where a rule
 * refuses a device, or there is none, the dispatcher books it.
 */
export function openPlanAtOnce(ports: PlanPorts): PlanAtOnce {
  return async (app, push) => {
    if (!isQuick(push)) return undefined;
    try {
      const plan = await planFor(ports, app, push);
      return plan && isWhole(plan) ? plan : undefined;
    } catch (error) {
      if (isRedisAway(error)) throw error;
      ports.onUnplanned(error);
      return undefined;
    }
  };
}

/** Whether a plan has devices, and every one of them is sent to. */
export const isWhole = ({ pages, books }: DirectPlan): boolean =>
  pages.length > 0 && books.every(({ errors }) => errors.size === 0);

/** A repeated req_id may turn out to be an earlier push; a condition takes as long as its author likes. */
function isQuick({ reqId, isScheduled, audience }: NewPush): boolean {
  const { addressed, devices, subscriptions, predicate } = audience;
  const named = addressed?.values ?? devices?.registrationIds ?? subscriptions ?? [];
  const isFew = named.length > 0 && named.length <= FEW;
  return isFew && reqId === undefined && !isScheduled && predicate === undefined;
}

async function planFor(
  { installations, profiles, traits }: PlanPorts,
  { id, hybrid }: App,
  { audience, content }: NewPush,
): Promise<DirectPlan | undefined> {
  const fateOf = fatesOf({ hybrid, profiles: await profiles.names(id), channels: traits }, content);
  if (audience.subscriptions) {
    const found = await subscribersOf(installations, id, audience);
    return found && planFound(fateOf, found);
  }
  return planNamed({ app: id, audience, fateOf }, (app, named) => installations.addressed(app, named));
}

/** Undefined when they are many, or the index is not known to be whole. */
async function subscribersOf(
  { channels }: PlanPorts['installations'],
  app: string,
  audience: Audience,
): Promise<readonly NarrowedDevice[] | undefined> {
  const narrow = await channels.narrow(app, audience);
  const found = narrow && isFewShards(narrow) ? await narrow.read() : undefined;
  return found && found.length <= FEW ? found : undefined;
}
