import { minus, plus, type Amount } from './amount';
import type { Ceiling } from './ceilings';
import type { Usage } from './usage';

export interface Demand {
  readonly ceiling: Ceiling;
  /** What all who wait want together. */
  readonly want: Amount;
  /** The most that one of them wants, who cannot be served with a part of it. */
  readonly most: Amount;
}

/** What shall be removed. */
export interface Eviction {
  readonly needed: Amount;
  /** Installations, whatever that frees. */
  readonly atMost: number;
  /** Of an installation. */
  readonly averageBytes: number;
}

/** More than needed is evicted at a time, since looking costs a command for each shard; of a small app less. */
const SPARE = 64;
const PART_TO_SPARE = 32;
/** At a time, so that those who come all at once leave the others time to be confirmed; they wait for the next look. */
const MOST_EVICTED = 256;
const PART_TO_EVICT = 8;

/** What has to go so that the demand is met. */
export function evictionFor(usage: Usage, { ceiling, want, most }: Demand): Eviction {
  const spare = Math.min(SPARE, Math.floor(usage.installations / PART_TO_SPARE));
  const averageBytes = Math.max(1, Math.ceil((usage.bytes - usage.messagingBytes) / usage.installations));
  const over = minus(plus(usage, want), ceiling);
  const withSpare = (missing: number, unit: number): number => (missing > 0 ? missing + spare * unit : 0);
  const atATime = Math.min(MOST_EVICTED, Math.ceil(usage.unconfirmed / PART_TO_EVICT));
  const least = toServe(usage, { ceiling, want: most, averageBytes });
  return {
    needed: { installations: withSpare(over.installations, 1), bytes: withSpare(over.bytes, averageBytes) },
    atMost: Math.max(atATime, Math.min(least, Math.max(MOST_EVICTED, most.installations))),
    averageBytes,
  };
}

/** About how many installations have to go for that. */
function toServe(
  usage: Usage,
  { ceiling, want, averageBytes }: { ceiling: Ceiling; want: Amount; averageBytes: number },
): number {
  const over = minus(plus(usage, want), ceiling);
  return Math.max(over.installations, Math.ceil(over.bytes / averageBytes));
}
