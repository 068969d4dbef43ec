import { networkOf } from '@pushfleet/service-kit';
import { type FailureCounts } from '@pushfleet/store';
import { slowDown, type ErrorCode, type Refusal } from './problem';

export interface FailureLimits {
  readonly failures: FailureCounts;
  /** Per minute; 0 for no limit. */
  readonly perAddress: number;
  readonly perToken: number;
}

export interface Offender {
  readonly address: string;
  /** The id of the header, whether such a token exists or not. */
  readonly id: string;
}

export type LimitFailures = (refusal: Refusal, offender: Offender) => Promise<Refusal>;

const MINUTE_MS = 60_000;

/** What cost a look-up. The others are answered for nothing, and `invalid_time` must reach a caller to be put right. */
const COUNTED: ReadonlySet<ErrorCode> = new Set(['access_denied', 'invalid_client', 'replay_attacks'] as const);

/**
 * Turns refusals beyond the limit into `slow_down`. A request that is right is never touched, so that nobody can lock
 * out others behind the same proxy or an owner of a token. Tokens are counted only for an address that is within its
 * own limit: what one address can make the store hold is bounded.
 */
export function openLimitFailures({ failures, perAddress, perToken }: FailureLimits): LimitFailures {
  const isOver = async (kind: 'address' | 'token', who: string, limit: number): Promise<number | undefined> => {
    if (limit === 0) return undefined;
    const count = await failures.add(kind, who, MINUTE_MS);
    return count.failures > limit ? count.resetInMs : undefined;
  };
  return async (refusal, { address, id }) => {
    if (!COUNTED.has(refusal.problem)) return refusal;
    const waitMs = (await isOver('address', networkOf(address), perAddress)) ?? (await isOver('token', id, perToken));
    return waitMs === undefined ? refusal : slowDown('too many requests were refused lately', waitMs);
  };
}
