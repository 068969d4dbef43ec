import {
  carrierJobs,
  envelopeJob,
  newEnvelopeId,
  type CarrierEnvelope,
  type ChannelJob,
  type Envelope,
  type Producer,
} from '@pushfleet/queues';
import { type Mark, type Tracing } from '@pushfleet/service-kit';
import { MAX_ENVELOPE, openNextGroup } from './next-group';
import { openPushShares, type PushShare } from './push-shares';
import { isRedisAway, type AcceptedPush, type NamedPush, type NewPush, type OnNamed } from '@pushfleet/store';

export type AcceptPush = (push: NewPush, share: PushShare) => Promise<AcceptedPush>;

export interface AcceptPorts {
  acceptPushes(pushes: readonly NewPush[], onNamed: OnNamed): Promise<readonly AcceptedPush[]>;
  readonly requests: Pick<Producer<Envelope>, 'add'>;
  /** The direct queue of a channel. */
  direct(channel: string): Pick<Producer<ChannelJob>, 'add'>;
  readonly schedule: Pick<Producer<Envelope>, 'add'>;
  readonly now: () => number;
  /** Told of every group that is safe in Redis. */
  readonly onCommit: (pushes: number, planned: number) => void;
  readonly tracing: Pick<Tracing, 'mark' | 'runFor'>;
}

interface Waiting {
  readonly push: NewPush;
  readonly share: PushShare;
  readonly mark: Mark;
  /** Priority in the queue: 0 while its account is within its share. */
  readonly standsBack: number;
  resolve(accepted: AcceptedPush): void;
  reject(error: unknown): void;
}

/**
 * A commit of `from` pushes or more shows load: the next one gathers until `enough` wait for it, `ms` at most, because an
 * envelope costs the same for many as for one. A few senders that wait for their answers never get there.
 */
const GATHER = { from: 8, enough: MAX_ENVELOPE / 2, ms: 4 };

/** Group commit: one starts at once when none is in flight; pushes that arrive meanwhile share the next. */
export function openAcceptPush(ports: AcceptPorts): AcceptPush {
  const waiting: Waiting[] = [];
  const nextGroup = openNextGroup(waiting);
  const standBack = openPushShares(ports.now);
  let isCommitting = false;
  let onEnough: (() => void) | undefined;

  const untilEnough = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, GATHER.ms);
      onEnough = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function commitUntilNoneWaits(): Promise<void> {
    isCommitting = true;
    let former = 0;
    while (waiting.length > 0) {
      if (former >= GATHER.from && waiting.length < GATHER.enough) await untilEnough();
      const group = nextGroup();
      former = group.length;
      try {
        const marks = group.map(({ mark }) => mark);
        const accepted = await ports.tracing.runFor('commit pushes', marks, () => commit(ports, group));
        group.forEach(({ resolve }, i) => resolve(accepted[i] as AcceptedPush));
      } catch (error) {
        // Those who waited behind a commit that timed out must not wait for a time-out of their own.
        const refused = isRedisAway(error) ? [...group, ...waiting.splice(0)] : group;
        for (const { reject } of refused) reject(error);
      }
    }
    isCommitting = false;
  }

  return (push, share) =>
    new Promise((resolve, reject) => {
      const standsBack = push.isScheduled ? 0 : standBack(share);
      waiting.push({ push, share, mark: ports.tracing.mark(), standsBack, resolve, reject });
      if (!isCommitting) void commitUntilNoneWaits();
      else if (waiting.length >= GATHER.enough) onEnough?.();
    });
}

async function commit(ports: AcceptPorts, group: readonly Waiting[]): Promise<readonly AcceptedPush[]> {
  const priority = Math.max(...group.map(({ standsBack }) => standsBack));
  const envelope = { id: newEnvelopeId(), priority };
  const pushes = group.map(({ push }) => inEnvelope(push, envelope.id));
  const haveJob = new Set<string>();
  // Beside their records: whoever is faster than these waits for them.
  const accepted = await ports.acceptPushes(pushes, (named) => {
    for (const { pushId } of named) haveJob.add(pushId);
    return addJobs(ports, envelope, named);
  });
  const now = ports.now();
  const needJob = new Map(
    accepted.filter(({ needsJob, pushId }) => needsJob && !haveJob.has(pushId)).map((push) => [push.pushId, push]),
  );
  const [due, scheduled] = partition([...needJob.values()], ({ pushTime }) => pushTime <= now);
  await Promise.all([
    ports.requests.add(
      due.length > 0
        ? [
            envelopeJob(
              due.map(({ pushId }) => pushId),
              priority,
            ),
          ]
        : [],
    ),
    ports.schedule.add(
      scheduled.map(({ pushId, pushTime }) => ({ ...envelopeJob([pushId]), delayMs: pushTime - now })),
    ),
  ]);
  ports.onCommit(group.length, group.filter(({ push }) => push.plan !== undefined).length);
  return accepted;
}

/** The pages of a plan travel with those of the other pushes of its commit. */
const inEnvelope = (push: NewPush, envelope: string): NewPush =>
  push.plan ? { ...push, plan: { ...push.plan, pages: push.plan.pages.map((page) => ({ envelope, ...page })) } } : push;

/** Pushes with a plan go to the queues of their channels, the others to a dispatcher. */
async function addJobs(ports: AcceptPorts, envelope: CarrierEnvelope, named: readonly NamedPush[]): Promise<void> {
  const [planned, others] = partition(named, ({ push }) => push.plan !== undefined);
  const pushIds = others.map(({ pushId }) => pushId);
  const pages = planned.map(({ pushId, push: { plan } }) => ({
    pushId,
    pages: (plan?.pages ?? []).map((page, i) => [i + 1, page] as const),
  }));
  await Promise.all([
    ports.requests.add(pushIds.length > 0 ? [envelopeJob(pushIds, envelope.priority)] : []),
    ...carrierJobs(envelope, pages).map(([channel, job]) => ports.direct(channel).add([job])),
  ]);
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
