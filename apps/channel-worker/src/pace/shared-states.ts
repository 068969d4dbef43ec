/** What every kind of state of a channel is kept with. */
export interface KeptStates<Store> {
  readonly store: Store;
  readonly channel: string;
  /** Names this process among those of the channel. */
  readonly worker: string;
  readonly now: () => number;
}

/** Where the states of a channel are kept for all of its workers. */
export interface SharedStatesPorts<Of, State, Event> {
  nameOf(of: Of): string;
  list(): Promise<readonly (readonly [of: Of, state: State])[]>;
  read(of: Of): Promise<State | undefined>;
  /** False when the present state is not `from`. */
  replace(of: Of, change: { readonly from: State | undefined; readonly to: State | undefined }): Promise<boolean>;
  /** The next state; the same one when nothing changes. */
  next(state: State | undefined, event: Event): State | undefined;
  /** Called by the process that made the change. */
  onChange(of: Of, change: { readonly from: State | undefined; readonly to: State | undefined }): void;
}

/** States as this process last saw them, and the way to change them for all. */
export class SharedStates<Of, State extends object, Event> {
  private known: ReadonlyMap<string, readonly [of: Of, state: State]> = new Map();
  /** The changes of one state, one after the other. */
  private readonly changing = new Map<string, Promise<unknown>>();

  constructor(private readonly ports: SharedStatesPorts<Of, State, Event>) {}

  async refresh(): Promise<void> {
    const list = await this.ports.list();
    this.known = new Map(list.map((entry) => [this.ports.nameOf(entry[0]), entry]));
  }

  of(of: Of): State | undefined {
    return this.known.size === 0 ? undefined : this.known.get(this.ports.nameOf(of))?.[1];
  }

  all(): readonly (readonly [of: Of, state: State])[] {
    return [...this.known.values()];
  }

  /** Resolves with the next state, even if another process made the change. */
  tell(of: Of, event: Event): Promise<State | undefined> {
    const name = this.ports.nameOf(of);
    const change = async (): Promise<State | undefined> => this.change(of, event);
    const changed = (this.changing.get(name) ?? Promise.resolve()).then(change, change);
    this.changing.set(name, changed);
    const forget = (): void => void (this.changing.get(name) === changed && this.changing.delete(name));
    changed.then(forget, forget);
    return changed;
  }

  private async change(of: Of, event: Event): Promise<State | undefined> {
    const { ports } = this;
    let from = this.of(of);
    for (;;) {
      const to = ports.next(from, event);
      const isWritten = await ports.replace(of, { from, to });
      if (isWritten) {
        this.keep(of, to);
        ports.onChange(of, { from, to });
        return to;
      }
      from = await ports.read(of);
    }
  }

  private keep(of: Of, state: State | undefined): void {
    const known = new Map(this.known);
    if (state) known.set(this.ports.nameOf(of), [of, state]);
    else known.delete(this.ports.nameOf(of));
    this.known = known;
  }
}
