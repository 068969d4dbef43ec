import type { Envelope, Producer } from '@pushfleet/queues';
import { ALL_PUSH_SHARDS, isUnreadablePush, type Store } from '@pushfleet/store';
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

/** Open pushes taken from one push shard in one round. */
const PER_SHARD = 50;

/**
 * Gives every open push that was not looked at for a while its jobs again: the one repair of whatever lost them.
 * Jobs that live are not doubled, and work that is folded is not repeated. Resolves with the pushes looked at.
 */
export async function redriveOnce(ports: RedrivePorts, olderThanMs: number): Promise<number> {
  const before = ports.now() - olderThanMs;
  const found = await Promise.all(ALL_PUSH_SHARDS.map((shard) => ports.store.pushes.open(shard, before, PER_SHARD)));
  await Promise.all(found.map((pushIds) => redriveShard(ports, pushIds)));
  return found.flat().length;
}

async function redriveShard(ports: RedrivePorts, pushIds: readonly string[]): Promise<void> {
  for (const pushId of pushIds) {
    // Noted first, so that a push that cannot be repaired does not stand in the way of others.
    await ports.store.pushes.touch(pushId, ports.now());
    await redriveOrGiveUp(ports, pushId).catch((error: unknown) => ports.onFailure(error, pushId));
  }
}

async function redriveOrGiveUp(ports: RedrivePorts, pushId: string): Promise<void> {
  try {
    await redrivePush(ports, pushId);
  } catch (error) {
    if (!isUnreadablePush(error)) throw error;
    if (await ports.store.closed.giveUp(pushId, ports.now())) ports.onGivenUp(error, pushId);
  }
}

async function redrivePush({ store, queues, requests, schedule, now }: RedrivePorts, pushId: string): Promise<void> {
  const push = await store.pushes.toSend(pushId);
  if (push?.isDispatched === true) {
    const open = { pushId, ...(await store.ledger.openParts(pushId)) };
    await addPartJobs(queues, [await withoutLiveEnvelopes(queues, open)], now());
  } else if (push) {
    const delayMs = push.pushTime - now();
    const job = { id: pushId, data: { pushIds: [pushId] } };
    await (delayMs > 0 ? schedule.add([{ ...job, delayMs }]) : requests.add([{ ...job, priority: BEHIND_NEW }]));
  }
}
