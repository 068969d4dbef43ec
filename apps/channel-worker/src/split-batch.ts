import { withoutCall, type BatchResult, type Retry, type Verdict } from './verdict';

/** What came of one call for some of the devices. */
export interface Attempt {
  readonly result: BatchResult;
  /** The vendor refused the whole batch, because of some devices or because of the message. */
  readonly isRefused: boolean;
}

/** Sends to the devices at these places of the batch. */
export type SendPart = (places: readonly number[]) => Promise<Attempt>;

/** The verdict on the devices of a part that met a fault of its own. */
export type DeferPart = (retry: Retry) => Verdict;

interface Splitting {
  readonly send: SendPart;
  readonly defer: DeferPart;
  readonly verdicts: Verdict[];
}

/**
 * A vendor refuses a whole batch because of some devices or because of the message. Single devices from all over the batch are
 * tried first. When none is accepted and most are refused for the same reason, the message is at fault, and no other device is
 * tried. When one is accepted, halves are tried until the refused devices are alone.
 */
export async function splitBatch(
  ports: { readonly send: SendPart; readonly defer: DeferPart },
  refused: readonly Verdict[],
): Promise<BatchResult> {
  const splitting: Splitting = { ...ports, verdicts: [...refused] };
  const left = new Set(refused.keys());
  let refusals = 0;
  let isMessageFine = false;
  for (const place of probesOf(refused.length)) {
    const probe = await ports.send([place]);
    if ('retry' in probe.result) return withoutRest(splitting, { left, place }, probe.result);
    const verdict = probe.result.verdicts[0] as Verdict;
    splitting.verdicts[place] = verdict;
    left.delete(place);
    if (reasonOf(verdict) === reasonOf(refused[place])) refusals += 1;
    isMessageFine = verdict.kind === 'accepted';
    if (isMessageFine) break;
  }
  const isMessage = !isMessageFine && refusals > (refused.length - left.size) / 2;
  if (!isMessage) await sendHalves(splitting, [...left]);
  return { verdicts: splitting.verdicts };
}

/** The whole batch may be tried again, unless the vendor may have taken a device of it: then the others are. */
function withoutRest(
  { defer, verdicts }: Splitting,
  { left, place: probed }: { left: ReadonlySet<number>; place: number },
  result: Extract<BatchResult, { retry: unknown }>,
): BatchResult {
  const { retry } = result;
  const isTaken = (verdict: Verdict, place: number): boolean =>
    !left.has(place) && reasonOf(verdict) === 'unknown-outcome';
  if (retry.isUnknown !== true && !verdicts.some(isTaken)) return result;
  const later = (place: number): Verdict => defer(place === probed ? retry : withoutCall(retry));
  return { verdicts: verdicts.map((verdict, place) => (left.has(place) ? later(place) : verdict)) };
}

const reasonOf = (verdict: Verdict | undefined): string | undefined =>
  verdict && 'reason' in verdict ? verdict.reason : undefined;

/** So many that a few devices are never taken for the message, and so few that a bad message costs next to nothing. */
const probeCount = (size: number): number => Math.min(size, Math.ceil(Math.log2(size)) + 3);

/** Evenly spread, because bad devices often stand side by side. */
function probesOf(size: number): readonly number[] {
  const count = probeCount(size);
  return Array.from({ length: count }, (_, i) => Math.floor(((i + 0.5) * size) / count));
}

async function sendHalves(splitting: Splitting, places: readonly number[]): Promise<void> {
  const middle = Math.ceil(places.length / 2);
  for (const half of [places.slice(0, middle), places.slice(middle)]) {
    if (half.length === 0) continue;
    const { result, isRefused } = await splitting.send(half);
    if (isRefused && half.length > 1) await sendHalves(splitting, half);
    else if ('verdicts' in result) half.forEach((place, i) => setVerdict(splitting, place, result.verdicts[i]));
    else half.forEach((place) => setVerdict(splitting, place, splitting.defer(result.retry)));
  }
}

function setVerdict({ verdicts }: Splitting, place: number, verdict: Verdict | undefined): void {
  if (verdict) verdicts[place] = verdict;
}
