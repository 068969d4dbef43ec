import { fatesOf, helpfulColumns, subqueriesOf, type App, type Audience, type ChannelTraits } from '@pushfleet/domain';
import type { FairGate } from '@pushfleet/service-kit';
import {
  isFewShards,
  MAX_LOOKED_UP,
  planFound,
  planNamed,
  type NarrowedDevice,
  type PushToSend,
  type Store,
} from '@pushfleet/store';
import { planAudience, type Plan, type PlannedPush } from './plan';
import { planRefusal, resolveAudience } from './resolve-audience';
import { shortestWalk } from './shortest-walk';

export interface PlanPorts {
  readonly store: Store;
  readonly traits: ReadonlyMap<string, ChannelTraits>;
  /** Large audiences are planned in turns by app, because each plan asks every shard. */
  readonly turns: Pick<FairGate, 'run'>;
  readonly now: () => number;
}

export const namesDevices = ({ audience: { addressed, devices } }: PushToSend): boolean =>
  Boolean(addressed ?? devices);

/** The plan of a push, or a function that makes it where that asks every shard of the app and has to wait for its turn. */
export async function planPush(ports: PlanPorts, push: PushToSend, app: App): Promise<Plan | (() => Promise<Plan>)> {
  const { predicate, refusal } = push.audience;
  // Whoever found that out may have died before the plan was written.
  if (refusal !== undefined) return planRefusal(refusal);
  if (predicate && subqueriesOf(predicate).length > 0)
    return () => ports.turns.run(push.app, () => planResolved(ports, push, app));
  const { store } = ports;
  const planned = await withFates(ports, push, app);
  if (namesDevices(push)) return planAddressed(planned, store);
  const narrow = await store.installations.channels.narrow(push.app, push.audience);
  const isQuick = narrow !== undefined && isFewShards(narrow);
  const found = isQuick ? await narrow.read() : undefined;
  if (found) return planNarrow(planned, found);
  return () => ports.turns.run(push.app, () => planAny(ports, planned));
}

/** Devices that the push names are looked up now, and go to the direct queues. */
async function planAddressed({ push, fateOf }: PlannedPush, { installations }: Store): Promise<Plan> {
  const { app, audience } = push;
  const lookUp = installations.addressed.bind(installations);
  return { lanes: [], ...(await planNamed({ app, audience, fateOf }, lookUp)) };
}

const planNarrow = ({ fateOf }: PlannedPush, found: readonly NarrowedDevice[]): Plan => ({
  lanes: [],
  ...planFound(fateOf, found),
});

/** A sub-query reads every installation of the app. */
async function planResolved(ports: PlanPorts, push: PushToSend, app: App): Promise<Plan> {
  const resolved = await resolveAudience(ports.store, push);
  return 'lanes' in resolved ? resolved : planAny(ports, await withFates(ports, resolved, app));
}

async function withFates({ store, traits }: PlanPorts, push: PushToSend, app: App): Promise<PlannedPush> {
  const rules = { hybrid: app.hybrid, profiles: await store.profiles.names(push.app), channels: traits };
  return { push, fateOf: fatesOf(rules, push.content) };
}

async function planAny(ports: PlanPorts, planned: PlannedPush): Promise<Plan> {
  const { store } = ports;
  const { push } = planned;
  if (namesDevices(push)) return planAddressed(planned, store);
  const narrow = await store.installations.channels.narrow(push.app, push.audience);
  if (!narrow) return planWalk(await walkedBy(store, planned, [push.audience]), ports);
  const found = await narrow.read();
  if (found) return planNarrow(planned, found);
  const walks = narrow.walks.length > 0 ? narrow.walks : [push.audience];
  return planAudience(await walkedBy(store, planned, walks), ports);
}

/** The push as its lanes walk it, which walk the audience of the record. */
async function walkedBy(store: Store, planned: PlannedPush, walks: readonly Audience[]): Promise<PlannedPush> {
  const { push } = planned;
  const walked = await shortestWalk(store.installations, push, walks);
  if (walked === push.audience) return planned;
  return { ...planned, push: { ...push, audience: await store.pushes.keepResolved(push.pushId, walked) } };
}

/** No index answers for the push: where one could have, and the app is large, its record and the doctor tell. */
async function planWalk(planned: PlannedPush, ports: PlanPorts): Promise<Plan> {
  const { store, now } = ports;
  const plan = await planAudience(planned, ports);
  const { app, audience } = planned.push;
  const columns = helpfulColumns(audience);
  const devices = plan.books.reduce((sum, { counts }) => sum + (counts.get('expected') ?? 0), 0);
  if (columns.length === 0 || devices <= MAX_LOOKED_UP) return plan;
  const words = `all installations were read: no index of ${columns.join(', ')} is ready`;
  for (const books of plan.books) books.note(words, books.counts.get('expected') ?? 0);
  await store.installations.columns.noteWalk(app, { columns, devices, at: now() });
  return plan;
}
