import type { Envelope, Producer } from '@pushfleet/queues';
import { ALL_PUSH_SHARDS, type Store } from '@pushfleet/store';
import { addPartJobs, type ChannelQueues } from './jobs';

export interface RedrivePorts {
  readonly store: Store;
  readonly queues: ChannelQueues;
  readonly requests: Producer<Envelope>;
  readonly schedule: Producer<Envelope>;
  readonly now: () => number;
}

/** Open pushes taken from one push shard in one round. */
const PER_SHARD = 50;

/**
 * Gives every open push that was not looked at for a while its jobs again: the one repair of whatever lost them.
 * Jobs that live are not doubled, and work that is folded is not repeated. Resolves with the pushes looked at.
 */
export async function redriveOnce(ports: RedrivePorts, olderThanMs: number): Promise<number> {
  const before = ports.now() - olderThanMs;
  const found = await Promise.all(ALL_PUSH_SHARDS.map((shard) => ports.store.pushes.open(shard, before, PER_SHARD)));
  const pushIds = found.flat();
  for (const pushId of pushIds) await redrivePush(ports, pushId);
  return pushIds.length;
}

async function redrivePush({ store, queues, requests, schedule, now }: RedrivePorts, pushId: string): Promise<void> {
  const push = await store.pushes.toSend(pushId);
  if (push?.isDispatched === true) {
    await addPartJobs(queues, [{ pushId, ...(await store.ledger.openParts(pushId)) }], now());
  } else if (push) {
    const delayMs = push.pushTime - now();
    const job = { id: pushId, data: { pushIds: [pushId] } };
    await (delayMs > 0 ? schedule.add([{ ...job, delayMs }]) : requests.add([job]));
  }
  await store.pushes.touch(pushId, now());
}
