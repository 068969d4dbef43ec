import { hash } from 'node:crypto';
import { type Envelope, type NewJob, type Producer } from '@pushfleet/queues';
import { type AcceptedPush, type NewPush } from '@pushfleet/store';
import { isRedisAway } from './redis-away';

export type AcceptPush = (push: NewPush) => Promise<AcceptedPush>;

export interface AcceptPorts {
  acceptPushes(pushes: readonly NewPush[]): Promise<readonly AcceptedPush[]>;
  readonly requests: Pick<Producer<Envelope>, 'add'>;
  readonly schedule: Pick<Producer<Envelope>, 'add'>;
  readonly now: () => number;
  /** Told of every group that is safe in Redis. */
  readonly onCommit: (pushes: number) => void;
}

interface Waiting {
  readonly push: NewPush;
  resolve(accepted: AcceptedPush): void;
  reject(error: unknown): void;
}

const MAX_ENVELOPE = 64;

/** Group commit: one starts at once when none is in flight; pushes that arrive meanwhile share the next. */
export function openAcceptPush(ports: AcceptPorts): AcceptPush {
  const waiting: Waiting[] = [];
  let isCommitting = false;

  async function commitUntilNoneWaits(): Promise<void> {
    isCommitting = true;
    while (waiting.length > 0) {
      const group = waiting.splice(0, MAX_ENVELOPE);
      try {
        const accepted = await commit(ports, group);
        group.forEach(({ resolve }, i) => resolve(accepted[i] as AcceptedPush));
      } catch (error) {
        // Those who waited behind a commit that timed out must not wait for a time-out of their own.
        const refused = isRedisAway(error) ? [...group, ...waiting.splice(0)] : group;
        for (const { reject } of refused) reject(error);
      }
    }
    isCommitting = false;
  }

  return (push) =>
    new Promise((resolve, reject) => {
      waiting.push({ push, resolve, reject });
      if (!isCommitting) void commitUntilNoneWaits();
    });
}

async function commit(ports: AcceptPorts, group: readonly Waiting[]): Promise<readonly AcceptedPush[]> {
  const accepted = await ports.acceptPushes(group.map(({ push }) => push));
  const now = ports.now();
  const needJob = new Map(accepted.filter(({ needsJob }) => needsJob).map((push) => [push.pushId, push]));
  const [due, scheduled] = partition([...needJob.values()], ({ pushTime }) => pushTime <= now);
  await Promise.all([
    ports.requests.add(due.length > 0 ? [envelopeOf(due.map(({ pushId }) => pushId))] : []),
    ports.schedule.add(scheduled.map(({ pushId, pushTime }) => ({ ...envelopeOf([pushId]), delayMs: pushTime - now }))),
  ]);
  ports.onCommit(group.length);
  return accepted;
}

/**
 * The id tells the whole content: a repeated req_id can put a push into a second envelope, and an id taken from one push
 * would let the first envelope hide the other pushes of the second.
 */
function envelopeOf(pushIds: readonly string[]): NewJob<Envelope> {
  const [first = ''] = pushIds;
  const id = pushIds.length === 1 ? first : `${first}-${hash('sha1', pushIds.join(' '), 'hex')}`;
  return { id, data: { pushIds: [...pushIds] } };
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
