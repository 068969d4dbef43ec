import {
  FAULT_POLICY,
  isChannelFault,
  type ChannelFault,
  type FaultPolicy,
  type PushBatch,
} from '@pushfleet/channel-kit';
import {
  isFailureReason,
  type Discarded,
  type Failed,
  type Outcome,
  type Reason,
  type VendorVerdict,
} from '@pushfleet/domain';
import type { OpenedSession } from './sessions';

/** A device's verdict; failures come from faults that are not retried any more. */
export type Verdict = Outcome | Failed;

/** A fault that calls for another try of the whole batch. */
export interface Retry {
  readonly pause: 'backoff' | 'wait';
  readonly retryAfterMs: number | undefined;
  /** How the devices are booked when no try succeeds. */
  readonly booksAs: Reason;
  readonly words: VendorVerdict;
}

export type BatchResult =
  | {
      readonly verdicts: readonly Verdict[];
      /** The verdicts smell of wrong credentials: nobody is taken out of the audience because of them. */
      readonly isSuspect?: boolean;
    }
  | { readonly retry: Retry };

export interface SendPorts {
  readonly cutoff: AbortSignal;
  /** Begins a vendor call; the answer ends it. */
  onCall(devices: number): (result: string) => void;
  onFault(fault: ChannelFault, pushId: string): void;
  onBug(error: unknown, pushId: string): void;
}

/** Tries of a batch that ends in a defect of ours before its devices are booked. */
const MAX_BUG_TRIES = 5;
/** Pause for the part of a split batch that met a fault of its own. */
const SPLIT_RETRY_MS = 5000;

const BUG_POLICY: FaultPolicy = {
  retry: 'backoff',
  booksAs: 'internal-error',
  maxTries: MAX_BUG_TRIES,
  log: 'error',
  page: true,
};

/** Sends a batch and turns whatever happens into a verdict per device, or the wish to try again. */
export async function sendBatch(
  ports: SendPorts,
  opened: OpenedSession,
  { batch, tries }: { batch: PushBatch; tries: number },
): Promise<BatchResult> {
  const report = ports.onCall(batch.registrationIds.length);
  try {
    const verdicts = await opened.session.send(batch, ports.cutoff);
    report('answered');
    if (verdicts.some(({ kind }) => kind === 'accepted')) opened.hasAccepted = true;
    return { verdicts };
  } catch (error) {
    const fault = isChannelFault(error) ? error : undefined;
    report(fault?.code ?? 'internal-error');
    if (fault) ports.onFault(fault, batch.pushId);
    else ports.onBug(error, batch.pushId);
    const policy: FaultPolicy = fault ? FAULT_POLICY[fault.code] : BUG_POLICY;
    if (policy.retry === 'split' && batch.registrationIds.length > 1) return split(ports, opened, { batch, tries });
    return decide(policy, fault, { devices: batch.registrationIds.length, tries });
  }
}

/** What follows from a defect of ours, wherever it showed. */
export const bugResult = (batch: { devices: number; tries: number }): BatchResult =>
  decide(BUG_POLICY, undefined, batch);

function decide(
  policy: FaultPolicy,
  fault: ChannelFault | undefined,
  { devices, tries }: { devices: number; tries: number },
): BatchResult {
  const words = wordsOf(fault);
  const isSpent = policy.maxTries !== undefined && tries + 1 >= policy.maxTries;
  if (policy.retry === 'never' || policy.retry === 'split' || isSpent) {
    return { verdicts: new Array<Verdict>(devices).fill(refusal(policy.booksAs, words)) };
  }
  return { retry: { pause: policy.retry, retryAfterMs: fault?.retryAfterMs, booksAs: policy.booksAs, words } };
}

export function refusal(reason: Reason, words: VendorVerdict = {}): Discarded | Failed {
  return isFailureReason(reason) ? { kind: 'failed', reason, ...words } : { kind: 'discarded', reason, ...words };
}

const wordsOf = (fault: ChannelFault | undefined): VendorVerdict => ({
  ...(fault?.vendorCode === undefined ? {} : { vendorCode: fault.vendorCode }),
  ...(fault?.vendorMessage === undefined ? {} : { vendorMessage: fault.vendorMessage }),
});

/** A vendor that refuses a whole batch may mean one device of it: halves are tried until the culprit is alone. */
async function split(
  ports: SendPorts,
  opened: OpenedSession,
  { batch, tries }: { batch: PushBatch; tries: number },
): Promise<BatchResult> {
  const middle = Math.ceil(batch.registrationIds.length / 2);
  const halves = [batch.registrationIds.slice(0, middle), batch.registrationIds.slice(middle)];
  const verdicts: Verdict[] = [];
  for (const [i, registrationIds] of halves.entries()) {
    const half = { ...batch, registrationIds, batchId: `${batch.batchId}${i}`.slice(-64) };
    const result = await sendBatch(ports, opened, { batch: half, tries });
    verdicts.push(...('verdicts' in result ? result.verdicts : registrationIds.map(() => deferredBy(result.retry))));
  }
  return { verdicts };
}

export function deferredBy({ retryAfterMs, booksAs, words }: Retry): Outcome {
  return { kind: 'deferred', retryAfterMs: retryAfterMs ?? SPLIT_RETRY_MS, reason: booksAs, ...words };
}
