import type { Breaker, BreakerStore, ProfileOfChannel } from '@pushfleet/store';
import { nextBreaker, type BreakerEvent } from './breaker';
import type { CallResult } from './call-result';
import { profileKey } from './profile-key';

export interface BreakersPorts {
  readonly store: BreakerStore;
  readonly channel: string;
  /** Names this process among those of the channel. */
  readonly worker: string;
  readonly now: () => number;
  /** Of the fleet's breaker, told by the process that brought it about. */
  onTransition(to: Breaker['state'], of: ProfileOfChannel, reason: string | undefined): void;
}

/** The breakers of a channel as this process last saw them, and the way to change them for all. */
export class Breakers {
  private known: ReadonlyMap<string, Breaker> = new Map();
  /** The changes of one breaker, one after the other. */
  private readonly changing = new Map<string, Promise<unknown>>();
  private claims = 0;

  constructor(private readonly ports: BreakersPorts) {}

  async refresh(): Promise<void> {
    const list = await this.ports.store.list(this.ports.channel);
    this.known = new Map(list.map(({ breaker, ...of }) => [profileKey(of), breaker]));
  }

  of(of: ProfileOfChannel): Breaker | undefined {
    return this.known.get(profileKey(of));
  }

  count(state: 'open' | 'half-open'): number {
    return [...this.known.values()].filter((breaker) => breaker.state === state).length;
  }

  /** The name of the one call that may try whether the vendor is back; undefined when another is it. */
  async claim(of: ProfileOfChannel): Promise<string | undefined> {
    this.claims += 1;
    const prober = `${this.ports.worker}-${this.claims}`;
    const breaker = await this.tell(of, { kind: 'probe', prober });
    if (breaker === undefined || breaker.state === 'closed') return prober;
    return breaker.state === 'half-open' && breaker.prober === prober ? prober : undefined;
  }

  /** Says how a call ended; costs nothing while calls succeed. */
  async ended(of: ProfileOfChannel, result: CallResult, prober: string | undefined): Promise<void> {
    if (prober !== undefined) await this.tell(of, { ...result, prober });
    else if (result.kind === 'fault' || result.kind === 'unknown') await this.tell(of, result);
    else if (result.kind === 'answer' && this.hasFaults(of)) await this.tell(of, result);
  }

  private hasFaults(of: ProfileOfChannel): boolean {
    const breaker = this.of(of);
    return breaker?.state === 'closed' && breaker.faults > 0;
  }

  /** Resolves with the state that followed, whoever brought it about. */
  private tell(of: ProfileOfChannel, event: BreakerEvent): Promise<Breaker | undefined> {
    const name = profileKey(of);
    const change = async (): Promise<Breaker | undefined> => this.change(of, event);
    const changed = (this.changing.get(name) ?? Promise.resolve()).then(change, change);
    this.changing.set(name, changed);
    const forget = (): void => void (this.changing.get(name) === changed && this.changing.delete(name));
    changed.then(forget, forget);
    return changed;
  }

  private async change(of: ProfileOfChannel, event: BreakerEvent): Promise<Breaker | undefined> {
    const { store, channel, now } = this.ports;
    let from = this.of(of);
    for (;;) {
      const to = nextBreaker(from, event, { now: now(), random: Math.random() });
      const isWritten = await store.replace(channel, of, { from, to });
      if (isWritten) {
        this.keep(of, to);
        if (stateOf(from) !== stateOf(to)) this.report(of, { from, to });
        return to;
      }
      from = await store.read(channel, of);
    }
  }

  private keep(of: ProfileOfChannel, breaker: Breaker | undefined): void {
    const known = new Map(this.known);
    if (breaker) known.set(profileKey(of), breaker);
    else known.delete(profileKey(of));
    this.known = known;
  }

  private report(of: ProfileOfChannel, { from, to }: { from: Breaker | undefined; to: Breaker | undefined }): void {
    const told = to ?? from;
    this.ports.onTransition(stateOf(to), of, told && 'reason' in told ? told.reason : undefined);
  }
}

const stateOf = (breaker: Breaker | undefined): Breaker['state'] => breaker?.state ?? 'closed';
