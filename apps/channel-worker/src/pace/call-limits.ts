import { CallLimit, type CallEnd } from './call-limit';
import type { Config } from '../config';
import type { ShareBound } from '../shares';

export interface CallLimitState {
  /** The key of the profile. */
  readonly profile: string;
  /** Calls that may be in flight. */
  readonly allowed: number;
  /** Of a call while the vendor is not pressed; undefined before the first has ended. */
  readonly latencyMs: number | undefined;
}

interface Entry {
  readonly limit: CallLimit;
  endedAt: number;
}

/** A profile without a call for so long begins anew. */
const FORGOTTEN_MS = 600_000;
/** Without a call for so long it is not reported. */
const IDLE_MS = 10_000;
const MANY = 1000;

/** What the vendor of each profile takes at once, as this process measures it, for one of its queues. */
export class CallLimits implements ShareBound {
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly most: number) {}

  of(profile: string): number {
    return this.entryOf(profile).limit.at(performance.now());
  }

  refused(profile: string): void {
    this.entryOf(profile).limit.refused();
  }

  /** The returned function notes the end of the call; without an argument the vendor was not asked. */
  begin(profile: string): (end?: CallEnd) => void {
    const entry = this.entryOf(profile);
    const ended = entry.limit.begin(performance.now());
    return (end) => {
      entry.endedAt = performance.now();
      ended(entry.endedAt, end);
    };
  }

  /** Those with calls of late. */
  states(): readonly CallLimitState[] {
    const now = performance.now();
    const active = [...this.entries].filter(([, { endedAt }]) => now - endedAt < IDLE_MS);
    return active.map(([profile, { limit }]) => ({
      profile,
      allowed: limit.present,
      latencyMs: limit.latencyMs,
    }));
  }

  private entryOf(profile: string): Entry {
    const known = this.entries.get(profile);
    if (known) return known;
    if (this.entries.size >= MANY) this.forgetIdle();
    const entry = { limit: new CallLimit(this.most), endedAt: performance.now() };
    this.entries.set(profile, entry);
    return entry;
  }

  private forgetIdle(): void {
    const before = performance.now() - FORGOTTEN_MS;
    for (const [profile, { endedAt }] of this.entries) if (endedAt < before) this.entries.delete(profile);
  }
}

/** One for each queue: a campaign that a vendor slows down does not hold up messages. */
export const callLimitsFor = (ceilings: Pick<Config, 'DIRECT_CONCURRENCY' | 'SEND_CONCURRENCY'>) => ({
  direct: new CallLimits(ceilings.DIRECT_CONCURRENCY),
  bulk: new CallLimits(ceilings.SEND_CONCURRENCY),
});
