import { profileKey, type Breaker, type BreakerStore, type AppProfile } from '@pushfleet/store';
import { nextBreaker, type BreakerEvent, type BreakerMoment } from './breaker';
import type { CallResult } from './call-result';
import { SharedStates, type KeptStates } from './shared-states';

export interface BreakersPorts extends KeptStates<BreakerStore> {
  /** No call takes longer. */
  readonly longestCallMs: number;
  /** Called by the process that changed the breaker of the fleet. */
  onTransition(to: Breaker['state'], of: AppProfile, reason: string | undefined): void;
}

/** A probe counts as dead after this, and when the longest call is over. */
const LEAST_PROBE_MS = 30_000;
const AFTER_CALL_MS = 10_000;

/** The breakers of a channel as this process last saw them, and the way to change them for all. */
export class Breakers {
  private readonly states: SharedStates<AppProfile, Breaker, BreakerEvent>;
  private readonly moment: () => BreakerMoment;

  constructor(ports: BreakersPorts) {
    const { store, channel, now, longestCallMs, onTransition } = ports;
    const probeMs = Math.max(LEAST_PROBE_MS, longestCallMs + AFTER_CALL_MS);
    this.moment = () => ({ now: now(), random: Math.random(), probeMs });
    this.states = new SharedStates(ports, {
      nameOf: profileKey,
      list: async () => (await store.list(channel)).map(({ breaker, ...of }) => [of, breaker] as const),
      next: (breaker, event) => nextBreaker(breaker, event, this.moment()),
      onChange(of, { from, to }) {
        const told = to ?? from;
        if (stateOf(from) !== stateOf(to))
          onTransition(stateOf(to), of, told && 'reason' in told ? told.reason : undefined);
      },
    });
  }

  /** Forgets the breakers that no work waits for any more, unless it may stand still for another reason. */
  async refresh(isStopped: boolean): Promise<void> {
    await this.states.refresh();
    if (isStopped) return;
    const over = this.states.all().filter(([, breaker]) => !nextBreaker(breaker, { kind: 'time' }, this.moment()));
    await Promise.all(over.map(([of]) => this.states.tell(of, { kind: 'time' })));
  }

  of(of: AppProfile): Breaker | undefined {
    return this.states.of(of);
  }

  count(state: 'open' | 'half-open'): number {
    return this.states.all().filter(([, breaker]) => breaker.state === state).length;
  }

  /** The name of the one call that may probe whether the vendor is back; undefined when another call is the probe. */
  async claim(of: AppProfile): Promise<string | undefined> {
    const { prober, state: breaker } = await this.states.probe(of);
    if (breaker === undefined || breaker.state === 'closed') return prober;
    return breaker.state === 'half-open' && breaker.prober === prober ? prober : undefined;
  }

  /** Notes how a call ended; costs nothing while calls succeed. */
  async ended(of: AppProfile, result: CallResult, prober: string | undefined): Promise<void> {
    if (prober !== undefined) await this.states.tell(of, { ...result, prober });
    else if (result.kind === 'fault' || result.kind === 'unknown') await this.states.tell(of, result);
    else if (result.kind === 'answer' && this.hasFaults(of)) await this.states.tell(of, result);
  }

  private hasFaults(of: AppProfile): boolean {
    const breaker = this.of(of);
    return breaker?.state === 'closed' && breaker.faults > 0;
  }
}

const stateOf = (breaker: Breaker | undefined): Breaker['state'] => breaker?.state ?? 'closed';
