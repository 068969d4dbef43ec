import type { StoredPage } from '@pushfleet/domain';
import { pageJob, type ChannelJob, type Producer } from '@pushfleet/queues';
import type { Books, Folded, FoldedPart, PushToSend, Store } from '@pushfleet/store';
import { bookPage } from './book-page';
import { confirmTaken, type Taken } from './confirm';
import type { WorkerMetrics } from './metrics';

export interface SettlePorts {
  readonly store: Store;
  readonly direct: Producer<ChannelJob>;
  readonly bulk: Producer<ChannelJob>;
  readonly metrics: WorkerMetrics;
  readonly now: () => number;
}

export interface Settlement extends Taken {
  readonly push: PushToSend;
  readonly part: FoldedPart;
  /** What the devices ask for; where they are discarded no lane has it. */
  readonly profile: string;
  /** Dead registrations stay in the audience. */
  readonly keepRegistrations: boolean;
  /** The retry pages of the deferred devices inherit these. */
  readonly retry: Pick<StoredPage, 'profile' | 'tries' | 'limited' | 'direct' | 'unknowns' | 'forAudience'>;
  /** The devices of a stored page, which the books count as outstanding. */
  readonly wasOutstanding: boolean;
}

/**
 * Folds a page, then adds the jobs of its retry pages and takes dead registrations out of the audience. Who dies in between leaves them
 * to the next push: taken out before the fold, a lane that is walked again would not find them, and they would miss in the books.
 */
export async function settle(ports: SettlePorts, settlement: Settlement): Promise<Folded> {
  const { push, part, channel, profile, devices, verdicts, retry, wasOutstanding } = settlement;
  const now = ports.now();
  const { limited = 0 } = retry;
  const { books, deferred, dead, struck } = bookPage({ channel, profile, devices, verdicts, limited, now });
  if (wasOutstanding) books.add('outstanding', -devices.length);
  else books.add('matched', devices.length);
  // No wait lasts beyond the expiry of the push: then the devices are booked, whatever the vendor asked for.
  const retries = deferred.map(({ isUnknown, ...later }) => ({
    channel,
    ...retry,
    ...later,
    unknowns: (retry.unknowns ?? 0) + Number(isUnknown),
    dueAt: Math.min(later.dueAt, push.expiresAt),
  }));
  const folded = await ports.store.ledger.fold({ pushId: push.pushId, part, books, retries, now });
  if (folded.state !== 'folded') return folded;
  countRefusals(ports.metrics, books);
  await addRetries(ports, { push, folded, retries });
  confirmTaken(ports.store, settlement);
  if (!settlement.keepRegistrations) {
    const { installations } = ports.store;
    const from = { channel, profile };
    await Promise.all(dead.map((device) => installations.retire(push.app, { ...device, from })));
    await Promise.all(struck.map((device) => installations.strike(push.app, { ...device, from, now })));
  }
  return folded;
}

interface Retries {
  readonly push: PushToSend;
  readonly folded: Folded;
  readonly retries: readonly StoredPage[];
}

async function addRetries(ports: SettlePorts, { push: { pushId }, folded, retries }: Retries): Promise<void> {
  const [first] = retries;
  if (!first) return;
  const jobs = retries.map(({ channel, dueAt }, i) => {
    const delayMs = folded.isCancelled === true ? 0 : dueAt - ports.now();
    return pageJob({ pushId, channel }, folded.retryPages[i] as number, delayMs);
  });
  await (first.direct ? ports.direct : ports.bulk).add(jobs);
}

function countRefusals(metrics: WorkerMetrics, { channel, errors }: Books): void {
  for (const { vendorCode, count } of errors.values())
    if (vendorCode !== undefined) metrics.refused(channel, vendorCode, count);
}
