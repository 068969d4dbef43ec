import type { Failed } from '@pushfleet/domain';
import type { PushHold, PushHoldStore, PushOfProfile } from '@pushfleet/store';
import type { BatchResult, Verdict } from '../verdict';
import { isHeldAt, nextPushHold, type PushHoldEvent } from './push-hold';
import { probeLifeMs, SharedStates, type KeptStates } from './shared-states';

export interface PushHoldsPorts extends KeptStates<PushHoldStore> {
  /** Called by the process that made the change. */
  onHold(isHeld: boolean, of: PushOfProfile, vendorCode: string | undefined): void;
}

/** A page of a campaign whose call has ended. */
export interface EndedPage {
  readonly of: PushOfProfile;
  readonly expiresAt: number;
  /** No page of the push comes behind this one. */
  readonly isLast: boolean;
  /** The name of the call, if it was the probe. */
  readonly prober: string | undefined;
}

/** More pushes than this mean that the vendor changed for good: further pushes go on and are booked. */
const MAX_HELD = 1000;
const LEAST_PROBE_MS = 60_000;

const nameOf = ({ app, pushId, profile }: PushOfProfile): string => `${app}/${pushId}/${profile}`;

/** The pushes of a channel that wait because of unrecognised answers. */
export class PushHolds {
  private readonly states: SharedStates<PushOfProfile, PushHold, PushHoldEvent>;

  constructor(private readonly ports: PushHoldsPorts) {
    const { store, channel, now, longestCallMs, onHold } = ports;
    const probeMs = probeLifeMs(LEAST_PROBE_MS, longestCallMs);
    this.states = new SharedStates(ports, {
      nameOf,
      list: async () => (await store.list(channel)).map(({ hold, ...of }) => [of, hold] as const),
      next: (hold, event) => nextPushHold(hold, event, { now: now(), probeMs }),
      onChange(of, { from, to }) {
        if ((from === undefined) !== (to === undefined)) onHold(to !== undefined, of, (to ?? from)?.vendorCode);
      },
    });
  }

  refresh(isStopped: boolean): Promise<void> {
    return this.states.refresh(isStopped);
  }

  /** What holds the push now. */
  of(of: PushOfProfile): PushHold | undefined {
    const hold = this.states.of(of);
    return hold && isHeldAt(hold, this.ports.now()) ? hold : undefined;
  }

  /** Whether the push waited until it expired. */
  heldUntil(of: PushOfProfile, expiresAt: number): boolean {
    return (this.states.of(of)?.until ?? 0) >= expiresAt;
  }

  /** The holds of waiting pushes, by name. */
  held(): ReadonlySet<string> {
    const now = this.ports.now();
    const held = this.states.all().filter(([, hold]) => isHeldAt(hold, now));
    return new Set(held.map(([of]) => nameOf(of)));
  }

  /** The name of the one call that may probe with a device; undefined when another call is the probe. */
  async claim(of: PushOfProfile): Promise<string | undefined> {
    const { prober, state: hold } = await this.states.probe(of);
    return hold?.prober === prober ? prober : undefined;
  }

  /** Resolves with what becomes of the page: one that spent its tries while another held the push waits with the rest. */
  async ended({ of, expiresAt, isLast, prober }: EndedPage, result: BatchResult): Promise<BatchResult> {
    if (prober !== undefined) {
      await this.states.tell(of, { kind: whatItProved(result), prober });
      return result;
    }
    if ('retry' in result) return result;
    const { verdicts } = result;
    const spent = verdicts.find(isUnrecognised);
    if (!spent) return result;
    const mayHold = !isLast && this.states.all().length < MAX_HELD;
    const held = this.of(of) ?? (mayHold ? await this.begin(of, expiresAt, spent) : undefined);
    return held && verdicts.every(isUnrecognised) ? waiting(spent) : result;
  }

  /** Resolves with the hold that another page had begun already. */
  private async begin(of: PushOfProfile, expiresAt: number, { vendorCode }: Failed): Promise<PushHold | undefined> {
    const { from } = await this.states.tell(of, { kind: 'spent', expiresAt, vendorCode });
    return from && isHeldAt(from, this.ports.now()) ? from : undefined;
  }
}

const waiting = ({ kind: _, reason: booksAs, ...words }: Failed): BatchResult => ({
  retry: { pause: 'backoff', retryAfterMs: undefined, booksAs, words, isHeld: true },
});

const isUnrecognised = (verdict: Verdict): verdict is Failed =>
  verdict.kind === 'failed' && verdict.reason === 'unrecognised-answer';

function whatItProved(result: BatchResult): 'taken' | 'failed' | 'unproven' {
  if ('retry' in result) return 'failed';
  if (result.verdicts.some(({ kind }) => kind === 'accepted')) return 'taken';
  return result.verdicts.some(({ kind }) => kind === 'failed') ? 'failed' : 'unproven';
}
