import { fatesOf, type App, type ChannelTraits } from '@pushfleet/domain';
import { isRedisAway, planNamed, type DirectPlan, type NewPush, type Store } from '@pushfleet/store';

export interface PlanPorts {
  readonly installations: Pick<Store['installations'], 'addressed'>;
  readonly profiles: Pick<Store['profiles'], 'names'>;
  readonly traits: ReadonlyMap<string, ChannelTraits>;
  /** Called when a push could not be planned for a reason of its own: a dispatcher takes it. */
  onUnplanned(error: unknown): void;
}

/** The plan of a push to few devices that it names; undefined when a dispatcher has to make it. */
export type PlanAtOnce = (app: App, push: NewPush) => Promise<DirectPlan | undefined>;

/** Devices that are looked up before a push is answered. */
const FEW_DEVICES = 16;

/**
 * A push to a device needs no dispatcher: whoever takes it finds the device and writes the plan with the record. Where a rule
 * refuses a device, or there is none, the dispatcher books it.
 */
export function openPlanAtOnce(ports: PlanPorts): PlanAtOnce {
  return async (app, push) => {
    if (!isQuick(push)) return undefined;
    try {
      const plan = await planFor(ports, app, push);
      return isWhole(plan) ? plan : undefined;
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
function isQuick({ reqId, isScheduled, audience: { addressed, devices, predicate } }: NewPush): boolean {
  const named = addressed?.values ?? devices?.registrationIds ?? [];
  const isFew = named.length > 0 && named.length <= FEW_DEVICES;
  return isFew && reqId === undefined && !isScheduled && predicate === undefined;
}

async function planFor(
  { installations, profiles, traits }: PlanPorts,
  { id, hybrid }: App,
  { audience, content }: NewPush,
): Promise<DirectPlan> {
  const fateOf = fatesOf({ hybrid, profiles: await profiles.names(id), channels: traits }, content);
  return planNamed({ app: id, audience, fateOf }, (app, named) => installations.addressed(app, named));
}
