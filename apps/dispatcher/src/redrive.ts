import { envelopeJob, soleJobId, type Envelope, type Producer } from '@pushfleet/queues';
import { ALL_SHARDS, isUnreadablePush, type PushToSend, type Store } from '@pushfleet/store';
import { addPartJobs, withoutLiveEnvelopes, type ChannelQueues } from './jobs';

export interface RedrivePorts {
  readonly store: Store;
  readonly queues: ChannelQueues;
  readonly requests: Producer<Envelope>;
  readonly schedule: Producer<Envelope>;
  readonly now: () => number;
  /** Called when a push could not be repaired this time. */
  readonly onFailure: (error: unknown, pushId: string) => void;
  /** Called once for each push that was closed as an error because it cannot be read. */
  readonly onGivenUp: (error: unknown, pushId: string) => void;
}

/** A push that waits long in the envelope of a storm is not lost, and must not overtake pushes of other apps. */
const BEHIND_NEW = 1;

/** For so long a push gets no job beside the envelope that it may wait in. */
const MAY_BE_QUEUED_MS = 300_000;
/** A job and its pushes are written at about the same time. */
const SAME_TIME_MS = 1000;

/** Open pushes taken from one push shard in one round. */
const PER_SHARD = 50;

/**
 * Looks at every open push that nothing was done for in a while, and adds its jobs again: the one repair of lost jobs. Live jobs
 * are not doubled, and folded work is not repeated. Resolves with the number of pushes.
 */
export async function redriveOnce(ports: RedrivePorts, olderThanMs: number): Promise<number> {
  const before = ports.now() - olderThanMs;
  const queuedSince = (await ports.requests.frontAddedAt()) ?? Infinity;
  const found = await Promise.all(ALL_SHARDS.map((shard) => ports.store.pushes.open(shard, before, PER_SHARD)));
  await Promise.all(found.map((pushIds) => redriveShard({ ...ports, queuedSince }, pushIds)));
  return found.flat().length;
}

interface Round extends RedrivePorts {
  /** Since when the requests at the front of the queue have waited. */
  readonly queuedSince: number;
}

async function redriveShard(ports: Round, pushIds: readonly string[]): Promise<void> {
  for (const pushId of pushIds) {
    // The look is noted first, so that a push that cannot be repaired does not stand in the way of others.
    await ports.store.pushes.touch(pushId, ports.now());
    await redriveOrGiveUp(ports, pushId).catch((error: unknown) => ports.onFailure(error, pushId));
  }
}

async function redriveOrGiveUp(ports: Round, pushId: string): Promise<void> {
  try {
    await redrivePush(ports, pushId);
  } catch (error) {
    if (!isUnreadablePush(error)) throw error;
    if (await ports.store.closed.giveUp(pushId, ports.now())) ports.onGivenUp(error, pushId);
  }
}

async function redrivePush(round: Round, pushId: string): Promise<void> {
  const { store, queues, requests, schedule, now } = round;
  const push = await store.pushes.toSend(pushId);
  if (push?.isDispatched === true) {
    const open = { pushId, isCancelled: push.isCancelled, ...(await store.ledger.openParts(pushId)) };
    await addPartJobs(queues, [await withoutLiveEnvelopes(queues, open)], now());
  } else if (push) {
    const delayMs = push.pushTime - now();
    if (delayMs > 0) await schedule.add([{ ...envelopeJob([pushId]), delayMs }]);
    else if (!(await mayBeQueued(round, push))) await requests.add([envelopeJob([pushId], BEHIND_NEW)]);
  }
}

/**
 * Whether a push may still wait in its envelope: a job as old as the push stands at the front of the queue. Planning the push
 * beside its envelope would make other pushes wait longer.
 */
async function mayBeQueued({ schedule, queuedSince, now }: Round, push: PushToSend): Promise<boolean> {
  if (now() - push.pushTime > MAY_BE_QUEUED_MS) return false;
  return queuedSince <= push.createdAt + SAME_TIME_MS || schedule.has(soleJobId(push.pushId));
}
