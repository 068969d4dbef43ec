import { envelopeJob, soleJobId, type Envelope, type Producer } from '@pushfleet/queues';
import { ALL_PUSH_SHARDS, isUnreadablePush, type PushToSend, type Store } from '@pushfleet/store';
import { addPartJobs, withoutLiveEnvelopes, type ChannelQueues } from './jobs';

export interface RedrivePorts {
  readonly store: Store;
  readonly queues: ChannelQueues;
  readonly requests: Producer<Envelope>;
  readonly schedule: Producer<Envelope>;
  readonly now: () => number;
  /** Told of a push that could not be repaired now. */
  readonly onFailure: (error: unknown, pushId: string) => void;
  /** Told once of a push that was closed as an error, because it cannot be read. */
  readonly onGivenUp: (error: unknown, pushId: string) => void;
}

/** A push that waits in the envelope of a storm for long is not lost; it must not come before what others send now. */
const BEHIND_NEW = 1;

/** A push is not given a job beside the envelope that it may wait in, for as long as this. */
const MAY_BE_QUEUED_MS = 300_000;
/** A job and its pushes are written at the same time, more or less. */
const SAME_TIME_MS = 1000;

/** Open pushes taken from one push shard in one round. */
const PER_SHARD = 50;

/**
 * Gives every open push that was not looked at for a while its jobs again: the one repair of whatever lost them.
 * Jobs that live are not doubled, and work that is folded is not repeated. Resolves with the pushes looked at.
 */
export async function redriveOnce(ports: RedrivePorts, olderThanMs: number): Promise<number> {
  const before = ports.now() - olderThanMs;
  const queuedSince = (await ports.requests.frontAddedAt()) ?? Infinity;
  const found = await Promise.all(ALL_PUSH_SHARDS.map((shard) => ports.store.pushes.open(shard, before, PER_SHARD)));
  await Promise.all(found.map((pushIds) => redriveShard({ ...ports, queuedSince }, pushIds)));
  return found.flat().length;
}

interface Round extends RedrivePorts {
  /** Since when the requests at the front of the queue are there. */
  readonly queuedSince: number;
}

async function redriveShard(ports: Round, pushIds: readonly string[]): Promise<void> {
  for (const pushId of pushIds) {
    // Noted first, so that a push that cannot be repaired does not stand in the way of others.
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
    const open = { pushId, ...(await store.ledger.openParts(pushId)) };
    await addPartJobs(queues, [await withoutLiveEnvelopes(queues, open)], now());
  } else if (push) {
    const delayMs = push.pushTime - now();
    if (delayMs > 0) await schedule.add([{ ...envelopeJob([pushId]), delayMs }]);
    else if (!(await mayBeQueued(round, push))) await requests.add([envelopeJob([pushId], BEHIND_NEW)]);
  }
}

/**
 * Whether a push may still wait in its envelope: a job that is as old stands at the front of the queue. To plan it beside
 * that would make others wait the longer.
 */
async function mayBeQueued({ schedule, queuedSince, now }: Round, push: PushToSend): Promise<boolean> {
  if (now() - push.pushTime > MAY_BE_QUEUED_MS) return false;
  return queuedSince <= push.createdAt + SAME_TIME_MS || schedule.has(soleJobId(push.pushId));
}
