import { DISCARD_POLICY, FAILURE_POLICY, type Advice, type ReasonPolicy, type ReasonText } from './reasons';
import { WAIT_TEXTS } from './wait-reasons';

export interface DescribedReason extends ReasonText {
  readonly reason: string;
  /** Where the reason stands in a push record: `discarded` and `failed` end a device, `waiting` does not. */
  readonly kind: 'discarded' | 'failed' | 'waiting';
  readonly action?: Advice;
  /** A device with this outcome leaves the audience until it saves again. */
  readonly retires?: boolean;
}

/** Every reason that a push record can give, in plain words. */
export const DESCRIBED_REASONS: readonly DescribedReason[] = [
  ...ended('discarded', DISCARD_POLICY),
  ...ended('failed', FAILURE_POLICY),
  ...Object.entries(WAIT_TEXTS).map(([reason, text]) => ({ reason, kind: 'waiting' as const, ...text })),
];

function ended(
  kind: DescribedReason['kind'],
  policies: Readonly<Record<string, ReasonPolicy>>,
): readonly DescribedReason[] {
  return Object.entries(policies).map(([reason, { advice: action, retires, means, remedy }]) => ({
    reason,
    kind,
    action,
    retires,
    means,
    remedy,
  }));
}
