import { type AppProfile, type Breaker, type BreakerStore, profileKey } from '@pushfleet/store';
import { nextBreaker, type BreakerEvent } from './breaker';
import type { CallResult } from './call-result';
import { probeLifeMs, SharedStates, type KeptStates } from './shared-states';

export interface BreakersPorts extends KeptStates<BreakerStore> {
  /** Called by the process that changed the breaker of the fleet. */
  onTransition(to: Breaker['state'], of: AppProfile, reason: string | undefined): void;
}

const LEAST_PROBE_MS = 30_000;

/** The breakers of a channel as this process last saw them, and the way to change them for all. */
export class Breakers {
  private readonly states: SharedStates<AppProfile, Breaker, BreakerEvent>;

  constructor(ports: BreakersPorts) {
    const { store, channel, now, longestCallMs, onTransition } = ports;
    const probeMs = probeLifeMs(LEAST_PROBE_MS, longestCallMs);
    this.states = new SharedStates(ports, {
      nameOf: profileKey,
      list: async () => (await store.list(channel)).map(({ breaker, ...of }) => [of, breaker] as const),
      next: (breaker, event) => nextBreaker(breaker, event, { now: now(), random: Math.random(), probeMs }),
      onChange(of, { from, to }) {
        const told = to ?? from;
        if (stateOf(from) !== stateOf(to))
          onTransition(stateOf(to), of, told && 'reason' in told ? told.reason : undefined);
      },
    });
  }

  refresh(isStopped: boolean): Promise<void> {
    return this.states.refresh(isStopped);
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
