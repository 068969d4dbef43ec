/** What every kind of state of a channel is kept with. */
export interface KeptStates<Store> {
  readonly store: Store;
  readonly channel: string;
  /** Names this process among those of the channel. */
  readonly worker: string;
  readonly now: () => number;
  /** No call takes longer. */
  readonly longestCallMs: number;
}

/** Where the states of a kind are kept for all workers of their channel. */
interface StateStore<Of, State> {
  read(channel: string, of: Of): Promise<State | undefined>;
  /** False when the present state is not `from`. */
  replace(channel: string, of: Of, change: StateChange<State>): Promise<boolean>;
}

interface StateChange<State> {
  readonly from: State | undefined;
  readonly to: State | undefined;
}

/** A call asks to be the one that tries. */
interface ProbeEvent {
  readonly kind: 'probe';
  readonly prober: string;
}

/** Time goes by. */
interface TimeEvent {
  readonly kind: 'time';
}

const AFTER_CALL_MS = 10_000;

/** A probe counts as dead after this: the least that its kind has, and when the longest call is over. */
export const probeLifeMs = (leastMs: number, longestCallMs: number): number =>
  Math.max(leastMs, longestCallMs + AFTER_CALL_MS);

/** What holds for one kind of state. */
interface StateRules<Of, State, Event> {
  nameOf(of: Of): string;
  list(): Promise<readonly (readonly [of: Of, state: State])[]>;
  /** The next state; the same one when nothing changes. */
  next(state: State | undefined, event: Event | ProbeEvent | TimeEvent): State | undefined;
  /** Called by the process that made the change. */
  onChange(of: Of, change: StateChange<State>): void;
}

const TIME: TimeEvent = { kind: 'time' };

/** States as this process last saw them, and the way to change them for all. */
export class SharedStates<Of, State extends object, Event> {
  private known: ReadonlyMap<string, readonly [of: Of, state: State]> = new Map();
  /** The changes of one state, one after the other. */
  private readonly changing = new Map<string, Promise<unknown>>();
  private probes = 0;

  constructor(
    private readonly kept: KeptStates<StateStore<Of, State>>,
    private readonly rules: StateRules<Of, State, Event>,
  ) {}

  /** Forgets the states that no work waits for any more, unless it may stand still for another reason. */
  async refresh(isStopped: boolean): Promise<void> {
    const list = await this.rules.list();
    this.known = new Map(list.map((entry) => [this.rules.nameOf(entry[0]), entry]));
    if (isStopped) return;
    const over = list.filter(([, state]) => this.rules.next(state, TIME) === undefined);
    await Promise.all(over.map(([of]) => this.tell(of, TIME)));
  }

  of(of: Of): State | undefined {
    return this.known.size === 0 ? undefined : this.known.get(this.rules.nameOf(of))?.[1];
  }

  all(): readonly (readonly [of: Of, state: State])[] {
    return [...this.known.values()];
  }

  /** Resolves with the states before and after; they are the same when nothing changes. */
  tell(of: Of, event: Event | ProbeEvent | TimeEvent): Promise<StateChange<State>> {
    const name = this.rules.nameOf(of);
    const change = async (): Promise<StateChange<State>> => this.change(of, event);
    const changed = (this.changing.get(name) ?? Promise.resolve()).then(change, change);
    this.changing.set(name, changed);
    const forget = (): void => void (this.changing.get(name) === changed && this.changing.delete(name));
    changed.then(forget, forget);
    return changed;
  }

  /** Resolves with the name of the one call that asks to be the probe, and with the state then: it says whose probe it is. */
  async probe(of: Of): Promise<{ readonly prober: string; readonly state: State | undefined }> {
    this.probes += 1;
    const prober = `${this.kept.worker}-${this.probes}`;
    return { prober, state: (await this.tell(of, { kind: 'probe', prober })).to };
  }

  private async change(of: Of, event: Event | ProbeEvent | TimeEvent): Promise<StateChange<State>> {
    const { store, channel } = this.kept;
    let from = this.of(of);
    for (;;) {
      const to = this.rules.next(from, event);
      const isWritten = await store.replace(channel, of, { from, to });
      if (isWritten) {
        this.keep(of, to);
        this.rules.onChange(of, { from, to });
        return { from, to };
      }
      from = await store.read(channel, of);
    }
  }

  private keep(of: Of, state: State | undefined): void {
    const known = new Map(this.known);
    if (state) known.set(this.rules.nameOf(of), [of, state]);
    else known.delete(this.rules.nameOf(of));
    this.known = known;
  }
}
