import { setImmediate as nextTurn } from 'node:timers/promises';
import { groupBy } from '@pushfleet/domain';
import type { Store, PushToSend } from '@pushfleet/store';
import { addEnvelopeJobs, addPartJobs, type ChannelQueues, type PushParts } from './jobs';
import type { DispatcherMetrics } from './metrics';
import type { Plan } from './plan';
import { namesDevices, planPush, type PlanPorts } from './plan-push';

export interface DispatchPorts extends PlanPorts {
  readonly queues: ChannelQueues;
  readonly metrics: DispatcherMetrics;
  /** The priority of the envelope, which its jobs in the queues of the channels keep. */
  readonly priority?: number;
}

interface Prepared {
  /** The jobs of the plan, unless another dispatcher planned the push before. */
  readonly parts: PushParts;
  /** Writes the plan; resolves with the parts that count. */
  commit(): Promise<PushParts>;
}

/**
 * Turns the pushes of one envelope into jobs. Running it twice changes nothing. Resolves with the pushes without a record,
 * which may come yet.
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
  const written = await Promise.allSettled([
    carry(ports, envelopeId, plans.filter(isReady)),
    ...plans.map(async (plan) => {
      if (!isReady(plan)) await carry(ports, ownEnvelope(envelopeId, plan.pushId), [await plan.prepare()]);
    }),
  ]);
  const failed = [...read, ...prepared, ...written].find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  const found = new Set(pushes.map(({ pushId }) => pushId));
  return pushIds.filter((pushId) => !found.has(pushId));
}

/** Writes plans and adds their jobs; the pages of one envelope travel together. */
async function carry(ports: DispatchPorts, envelopeId: string, plans: readonly Prepared[]): Promise<void> {
  const committed = Promise.allSettled(plans.map((plan) => plan.commit()));
  // The jobs are added right behind the plans and not after their answers: a worker that is faster waits for the plan.
  await nextTurn();
  await addEnvelopeJobs(
    ports.queues,
    { id: envelopeId, priority: ports.priority ?? 0 },
    plans.map(({ parts }) => parts),
  );
  const dispatched = await committed;
  const withOwnJobs = fulfilled(dispatched).map((parts) => ({ ...parts, pages: parts.pages.filter(hasOwnJob) }));
  await addPartJobs(ports.queues, withOwnJobs, ports.now());
  const failed = dispatched.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
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

/** A push whose plan takes long: the other pushes of the envelope do not wait for it. */
interface Waiting {
  readonly pushId: string;
  prepare(): Promise<Prepared>;
}

const isReady = (plan: Prepared | Waiting): plan is Prepared => 'parts' in plan;
const ownEnvelope = (envelopeId: string, pushId: string): string => `${envelopeId}-${pushId}`;

async function prepare(ports: DispatchPorts, envelopeId: string, push: PushToSend): Promise<Prepared | Waiting> {
  const { store } = ports;
  const { pushId, isCancelled } = push;
  const own = ownEnvelope(envelopeId, pushId);
  if (push.isDispatched) {
    const parts = { pushId, isCancelled, ...(await store.ledger.openParts(pushId)) };
    const prepared = { parts, commit: () => Promise.resolve(parts) };
    const hasOwn = parts.pages.some(([, { envelope }]) => envelope === own);
    return hasOwn ? { pushId, prepare: () => Promise.resolve(prepared) } : prepared;
  }
  const app = await store.apps.settings(push.app);
  const plan = app ? await planPush(ports, push, app) : NOTHING;
  if (typeof plan !== 'function') return preparedWith(ports, { push, plan, envelope: envelopeId });
  return { pushId, prepare: async () => preparedWith(ports, { push, plan: await plan(), envelope: own }) };
}

interface Planned {
  readonly push: PushToSend;
  readonly plan: Plan;
  readonly envelope: string;
}

function preparedWith({ store, metrics, now }: DispatchPorts, { push, plan, envelope }: Planned): Prepared {
  const { pushId } = push;
  const { lanes, books } = plan;
  const pages = plan.pages.map((page) => ({ ...page, envelope }));
  const parts = { pushId, lanes, pages: pages.map((page, i) => [i + 1, page] as const) };
  return {
    parts,
    async commit() {
      if (pages.length === 0 && !namesDevices(push)) await store.outcomes.expect(push.app, push);
      const isFirst = await store.ledger.plan({ pushId, lanes, pages, books, now: now() });
      if (!isFirst) return { pushId, ...(await store.ledger.openParts(pushId)) };
      metrics.dispatched.inc({ kind: namesDevices(push) ? 'addressed' : 'audience' });
      return parts;
    },
  };
}

/** A push whose app was deleted reaches nobody. */
const NOTHING: Plan = { lanes: [], pages: [], books: [] };
