import type { App } from '@pushfleet/domain';
import type { Store, PushToSend } from '@pushfleet/store';
import { planAddressed } from './address';
import { addEnvelopeJobs, addPartJobs, type ChannelQueues, type PushParts } from './jobs';
import type { DispatcherMetrics } from './metrics';
import { planAudience, type Plan } from './plan';
import { resolveAudience } from './resolve-audience';
import { routerFor, type ChannelTraits } from './routing';

export interface DispatchPorts {
  readonly store: Store;
  readonly queues: ChannelQueues;
  readonly traits: ReadonlyMap<string, ChannelTraits>;
  readonly metrics: DispatcherMetrics;
  readonly now: () => number;
}

/** Turns the pushes of one envelope into jobs. Running it twice changes nothing. */
export async function dispatchEnvelope(
  ports: DispatchPorts,
  envelopeId: string,
  pushIds: readonly string[],
): Promise<void> {
  // One push that cannot be planned does not hold up the others of its envelope.
  const outcomes = await Promise.allSettled(pushIds.map((pushId) => dispatchPush(ports, envelopeId, pushId)));
  const planned = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? (outcome.value ?? []) : []));
  const withOwnJobs = planned.map((parts) => ({ ...parts, pages: parts.pages.filter(hasOwnJob) }));
  await Promise.all([
    addEnvelopeJobs(ports.queues, envelopeId, planned),
    addPartJobs(ports.queues, withOwnJobs, ports.now()),
  ]);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

const hasOwnJob = ([, { envelope }]: PushParts['pages'][number]): boolean => envelope === undefined;

async function dispatchPush(ports: DispatchPorts, envelopeId: string, pushId: string): Promise<PushParts | undefined> {
  const { store, now } = ports;
  const push = await store.pushes.toSend(pushId);
  if (!push) return undefined;
  if (push.isDispatched) {
    const isCancelled = push.isCancelled;
    return { pushId, isCancelled, ...(await store.ledger.openParts(pushId)) };
  }
  const app = await store.apps.getCached(push.app);
  const { lanes, books, ...plan } = app ? await planOf(ports, push, app) : NOTHING;
  const pages = plan.pages.map((page) => ({ ...page, envelope: envelopeId }));
  await store.pushes.index(push.app, pushId, push.createdAt);
  const isFirst = await store.ledger.plan({ pushId, lanes, pages, books, now: now() });
  if (!isFirst) return { pushId, ...(await store.ledger.openParts(pushId)) };
  ports.metrics.dispatched.inc({ kind: namesDevices(push) ? 'addressed' : 'audience' });
  return { pushId, lanes, pages: pages.map((page, i) => [i + 1, page] as const) };
}

const namesDevices = ({ audience: { addressed, devices } }: PushToSend): boolean => Boolean(addressed ?? devices);

/** A push whose app was deleted reaches nobody. */
const NOTHING: Plan = { lanes: [], pages: [], books: [] };

async function planOf({ store, traits }: DispatchPorts, accepted: PushToSend, app: App): Promise<Plan> {
  const push = await resolveAudience(store, accepted);
  if ('lanes' in push) return push;
  const router = routerFor(push.content, app, { traits, profiles: await store.profiles.names(push.app) });
  return namesDevices(push) ? planAddressed({ push, router }, store) : planAudience({ push, router }, store);
}
