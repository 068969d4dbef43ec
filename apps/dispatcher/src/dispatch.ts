import { setImmediate as nextTurn } from 'node:timers/promises';
import { fatesOf, groupBy, type App, type ChannelTraits } from '@pushfleet/domain';
import type { Store, PushToSend } from '@pushfleet/store';
import { planAddressed, planNarrow } from './address';
import type { openFairTurns } from './fair-turns';
import { addEnvelopeJobs, addPartJobs, type ChannelQueues, type PushParts } from './jobs';
import type { DispatcherMetrics } from './metrics';
import { planAudience, type Plan } from './plan';
import { resolveAudience } from './resolve-audience';

export interface DispatchPorts {
  readonly store: Store;
  readonly queues: ChannelQueues;
  readonly traits: ReadonlyMap<string, ChannelTraits>;
  readonly metrics: DispatcherMetrics;
  /** Large audiences are planned in turns by app: each asks every shard. */
  readonly inTurn: ReturnType<typeof openFairTurns>;
  readonly now: () => number;
}

interface Prepared {
  /** What the plan comes to, unless somebody else planned the push before. */
  readonly parts: PushParts;
  /** Writes the plan; resolves with the parts that count. */
  commit(): Promise<PushParts>;
}

/**
 * Turns the pushes of one envelope into jobs. Running it twice changes nothing. Resolves with the pushes that have no
 * record, or none yet.
 */
export async function dispatchEnvelope(
  ports: DispatchPorts,
  envelopeId: string,
  pushIds: readonly string[],
): Promise<readonly string[]> {
  // One push that cannot be read or planned does not hold up the others of its envelope.
  const read = await Promise.allSettled(pushIds.map((pushId) => ports.store.pushes.toSend(pushId)));
  const pushes = fulfilled(read).filter((push) => push !== undefined);
  const [prepared] = await Promise.all([
    Promise.allSettled(pushes.map((push) => prepare(ports, envelopeId, push))),
    list(ports.store, pushes),
  ]);
  const plans = fulfilled(prepared);
  const committed = Promise.allSettled(plans.map((plan) => plan.commit()));
  // Right behind the plans, not after their answers: a worker that is faster all the same waits for them.
  await nextTurn();
  await addEnvelopeJobs(
    ports.queues,
    envelopeId,
    plans.map(({ parts }) => parts),
  );
  const dispatched = await committed;
  const withOwnJobs = fulfilled(dispatched).map((parts) => ({ ...parts, pages: parts.pages.filter(hasOwnJob) }));
  await addPartJobs(ports.queues, withOwnJobs, ports.now());
  const failed = [...read, ...prepared, ...dispatched].find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  const found = new Set(pushes.map(({ pushId }) => pushId));
  return pushIds.filter((pushId) => !found.has(pushId));
}

const fulfilled = <T>(outcomes: readonly PromiseSettledResult<T>[]): readonly T[] =>
  outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));

const hasOwnJob = ([, { envelope }]: PushParts['pages'][number]): boolean => envelope === undefined;

function list(store: Store, pushes: readonly PushToSend[]): Promise<unknown> {
  const added = groupBy(
    pushes.filter(({ isDispatched }) => !isDispatched),
    ({ app }) => app,
  );
  return Promise.all([...added].map(([app, group]) => store.pushes.index(app, group)));
}

async function prepare(ports: DispatchPorts, envelope: string, push: PushToSend): Promise<Prepared> {
  const { store, metrics, now } = ports;
  const { pushId, isCancelled } = push;
  if (push.isDispatched) {
    const parts = { pushId, isCancelled, ...(await store.ledger.openParts(pushId)) };
    return { parts, commit: () => Promise.resolve(parts) };
  }
  const app = await store.apps.settings(push.app);
  const { lanes, books, ...plan } = app ? await planOf(ports, push, app) : NOTHING;
  const pages = plan.pages.map((page) => ({ ...page, envelope }));
  const parts = { pushId, lanes, pages: pages.map((page, i) => [i + 1, page] as const) };
  return {
    parts,
    async commit() {
      const isFirst = await store.ledger.plan({ pushId, lanes, pages, books, now: now() });
      if (!isFirst) return { pushId, ...(await store.ledger.openParts(pushId)) };
      metrics.dispatched.inc({ kind: namesDevices(push) ? 'addressed' : 'audience' });
      return parts;
    },
  };
}

const namesDevices = ({ audience: { addressed, devices } }: PushToSend): boolean => Boolean(addressed ?? devices);

/** A push whose app was deleted reaches nobody. */
const NOTHING: Plan = { lanes: [], pages: [], books: [] };

async function planOf({ store, traits, inTurn }: DispatchPorts, accepted: PushToSend, app: App): Promise<Plan> {
  const push = await resolveAudience(store, accepted);
  if ('lanes' in push) return push;
  const rules = { hybrid: app.hybrid, profiles: await store.profiles.names(push.app), channels: traits };
  const planned = { push, fateOf: fatesOf(rules, push.content) };
  if (namesDevices(push)) return planAddressed(planned, store);
  const narrow = await store.installations.channels.narrow(push.app, push.audience);
  const look = async (): Promise<Plan | undefined> => {
    const found = await narrow?.read();
    return found && planNarrow(planned, found);
  };
  const isQuick = narrow !== undefined && narrow.shards <= FEW_SHARDS;
  const found = isQuick ? await look() : undefined;
  return found ?? inTurn(push.app, async () => (isQuick ? undefined : await look()) ?? planAudience(planned, store));
}

/** To ask so many takes about as long as to look up a device by its name. */
const FEW_SHARDS = 16;
