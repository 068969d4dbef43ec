import {
  FAULT_POLICY,
  isChannelFault,
  type ChannelFault,
  type FaultPolicy,
  type PushBatch,
} from '@pushfleet/channel-kit';
import { vendorWords } from '@pushfleet/domain';
import type { Deadlines } from './deadlines';
import { mayRepeat } from './may-repeat';
import type { OpenedSession } from './sessions';
import { splitBatch, type Attempt, type SendPart } from './split-batch';
import { refusal, type BatchResult, type Later, type Retry, type Verdict } from './verdict';

/** One call to make, with what is known of earlier calls for its devices. */
export interface Call {
  /** The id of the app. */
  readonly app: string;
  readonly batch: PushBatch;
  /** The name of a part of the batch, by its places: a repeat has the same, any other part another. */
  readonly partId: (places: readonly number[]) => string;
  readonly tries: number;
  /** Of these, those that ended in what is tried a few times only. */
  readonly limited: number;
  /** Earlier calls that the vendor may have taken. */
  readonly unknowns: number;
  /** The push names its devices. */
  readonly isAddressed: boolean;
  /** An unrecognised answer does not end the tries. */
  readonly isHeld?: boolean;
}

export interface SendPorts {
  readonly cutoff: AbortSignal;
  readonly deadlines: Deadlines;
  /** Begins a vendor call, the first for these devices when it has no tries behind it; the answer ends it. */
  onCall(devices: number, tries: number): (result: string) => void;
  onFault(fault: ChannelFault, of: PushOfApp): void;
  onBug(error: unknown, of: PushOfApp): void;
}

/** A push, as a log names it. */
export interface PushOfApp {
  readonly app: string;
  readonly pushId: string;
}

/** Tries of a batch that meets a defect of ours; after the last one its devices are booked. */
const MAX_BUG_TRIES = 5;
/** Pause for the part of a split batch that met a fault of its own. */
const SPLIT_RETRY_MS = 5000;

const BUG_POLICY: FaultPolicy = {
  retry: 'backoff',
  booksAs: 'internal-error',
  maxTries: MAX_BUG_TRIES,
  log: 'error',
};

/** Sends a batch. The result is a verdict per device, or that the batch is to be tried again. */
export async function sendBatch(ports: SendPorts, opened: OpenedSession, call: Call): Promise<BatchResult> {
  const { result, isRefused } = await callVendor(ports, opened, call);
  if (!isRefused || 'retry' in result || result.verdicts.length === 1) return result;
  const send: SendPart = (places) => callVendor(ports, opened, { ...call, batch: partOf(call, places) });
  return splitBatch({ send, defer: deferredBy }, result.verdicts);
}

async function callVendor(ports: SendPorts, opened: OpenedSession, call: Call): Promise<Attempt> {
  const { batch, tries } = call;
  const devices = batch.registrationIds.length;
  const report = ports.onCall(devices, tries);
  const deadline = ports.deadlines.begin({ isAddressed: call.isAddressed, ttlMs: batch.ttlMs });
  try {
    const verdicts = await opened.session.send(batch, deadline.signal);
    report('answered');
    if (verdicts.some(({ kind }) => kind === 'accepted')) opened.hasAccepted = true;
    return { result: { verdicts }, isRefused: false };
  } catch (error) {
    const fault = isChannelFault(error) ? error : undefined;
    report(fault?.code ?? 'internal-error');
    const of = { app: call.app, pushId: batch.pushId };
    if (fault) ports.onFault(fault, of);
    else ports.onBug(error, of);
    if (fault?.code === 'unknown-outcome') return { result: unknown(ports, opened, { call, fault }), isRefused: false };
    const policy: FaultPolicy = fault ? FAULT_POLICY[fault.code] : BUG_POLICY;
    return { result: decide(policy, fault, { ...call, devices }), isRefused: policy.retry === 'split' };
  } finally {
    deadline.end();
  }
}

/** The vendor may have taken the batch. A call that this process cut off is repeated like a call of a crashed process. */
function unknown(
  { cutoff }: SendPorts,
  { repeats }: OpenedSession,
  { call, fault }: { call: Call; fault: ChannelFault },
): BatchResult {
  const { batch, isAddressed, unknowns } = call;
  const devices = batch.registrationIds.length;
  const policy = fault.isShownAgain ? { ...repeats, deduplicates: 'no-call' as const } : repeats;
  const isRepeated =
    cutoff.aborted || mayRepeat(policy, { isSilent: batch.message.silent, isAddressed, devices, unknowns });
  const [booksAs, words] = ['unknown-outcome', vendorWords(fault)] as const;
  if (!isRepeated) return { verdicts: new Array<Verdict>(devices).fill(refusal(booksAs, words)) };
  return { retry: { pause: 'backoff', retryAfterMs: undefined, booksAs, words, isUnknown: !cutoff.aborted } };
}

function partOf({ batch, partId }: Call, places: readonly number[]): PushBatch {
  const registrationIds = places.map((place) => batch.registrationIds[place] ?? '');
  return { ...batch, registrationIds, batchId: partId(places) };
}

/** The result of a defect of ours, wherever it appeared. */
export const bugResult = (batch: { devices: number; limited: number }): BatchResult =>
  decide(BUG_POLICY, undefined, batch);

function decide(
  policy: FaultPolicy,
  fault: ChannelFault | undefined,
  { devices, limited, isHeld }: { devices: number; limited: number; isHeld?: boolean },
): BatchResult {
  const words = vendorWords(fault ?? {});
  const isPatient = isHeld === true && fault?.code === 'unrecognised-answer';
  const { maxTries } = policy;
  const isSpent = !isPatient && maxTries !== undefined && limited + 1 >= maxTries;
  if ((policy.retry !== 'backoff' && policy.retry !== 'wait') || isSpent) {
    return { verdicts: new Array<Verdict>(devices).fill(refusal(policy.booksAs, words)) };
  }
  const { retry: pause, booksAs } = policy;
  return { retry: { pause, retryAfterMs: fault?.retryAfterMs, booksAs, words, maxTries } };
}

export function deferredBy({ retryAfterMs, booksAs, words, isUnknown, ...retry }: Retry): Later {
  const maxTries = limitOf(retry);
  return {
    kind: 'deferred',
    retryAfterMs: retryAfterMs ?? SPLIT_RETRY_MS,
    reason: booksAs,
    ...words,
    ...(maxTries === undefined ? {} : { maxTries }),
    ...(isUnknown === true ? { isUnknown } : {}),
  };
}

/** A hold is no try: it has no bound of its own. */
export const limitOf = ({ maxTries, isHeld }: Pick<Retry, 'maxTries' | 'isHeld'>): number | undefined =>
  isHeld === true ? undefined : maxTries;
