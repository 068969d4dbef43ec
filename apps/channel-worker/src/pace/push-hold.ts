import type { PushHold } from '@pushfleet/store';

/** What happens to a push whose vendor answers with an unknown code; `prober` names the call that probes. */
export type PushHoldEvent =
  /** A page spent its tries on such answers, and more of the push comes behind it. */
  | { readonly kind: 'spent'; readonly expiresAt: number; readonly vendorCode?: string | undefined }
  /** A call asks to probe with one device. */
  | { readonly kind: 'probe'; readonly prober: string }
  /** The vendor took the device. */
  | { readonly kind: 'taken'; readonly prober: string }
  /** The vendor answered about the device alone, or was not called: that proves nothing. */
  | { readonly kind: 'unproven'; readonly prober: string }
  | { readonly kind: 'failed'; readonly prober: string }
  /** Time goes by. */
  | { readonly kind: 'time' };

export interface HoldMoment {
  readonly now: number;
  /** A probe that has not ended by then counts as dead. */
  readonly probeMs: number;
}

type State = PushHold | undefined;

/** How long a push waits at most for an operator. */
export const HOLD_MS = 3_600_000;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** The pause between two probes that prove nothing. */
const NEXT_DEVICE_MS = 100;
/** Without a probe for so long, no work waits for the hold any more. */
const DESERTED_MS = 5 * 60_000;
/** A push that went on after its hour does not wait again so soon. */
const REMEMBERED_MS = 23 * 3_600_000;

/** Whether the push has to wait, or a device of it may probe. */
export const isHeldAt = (hold: PushHold, now: number): boolean => now < hold.until;

/** The next state; the same one when nothing changes. Undefined: the push may go on, and may have to wait again. */
export function nextPushHold(hold: State, event: PushHoldEvent, moment: HoldMoment): State {
  const { now } = moment;
  if (event.kind === 'spent') return hold ?? begun(event, now);
  if (hold === undefined) return undefined;
  if (event.kind === 'time') return isForgotten(hold, now) ? undefined : hold;
  if (event.kind === 'probe') return isHeldAt(hold, now) && now >= hold.probeAt ? probed(hold, event, moment) : hold;
  return event.prober === hold.prober ? afterProbe(hold, event.kind, now) : hold;
}

const probed = (hold: PushHold, { prober }: { prober: string }, { now, probeMs }: HoldMoment): State => ({
  ...hold,
  prober,
  probes: hold.probes + 1,
  probeAt: now + probeMs,
});

function afterProbe({ prober: _, ...hold }: PushHold, kind: 'taken' | 'unproven' | 'failed', now: number): State {
  if (kind === 'taken') return undefined;
  return { ...hold, probeAt: now + (kind === 'unproven' ? NEXT_DEVICE_MS : pauseMs(hold.probes)) };
}

const begun = ({ expiresAt, vendorCode }: { expiresAt: number; vendorCode?: string | undefined }, now: number) => ({
  since: now,
  until: Math.min(now + HOLD_MS, expiresAt),
  probeAt: now + FIRST_PAUSE_MS,
  probes: 0,
  ...(vendorCode === undefined ? {} : { vendorCode }),
});

const pauseMs = (probes: number): number => Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(probes, 20));

const isForgotten = (hold: PushHold, now: number): boolean =>
  isHeldAt(hold, now) ? now > hold.probeAt + DESERTED_MS : now > hold.until + REMEMBERED_MS;
