/** Runs what concerns one thing after what was asked for before it; other things do not wait. */
export type InTurn = <T>(thing: string, work: () => Promise<T>) => Promise<T>;

export function openTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return (thing, work) => {
    const before = last.get(thing);
    const run = before ? before.then(work, work) : work();
    last.set(thing, run);
    const forget = (): void => {
      if (last.get(thing) === run) last.delete(thing);
    };
    run.then(forget, forget);
    return run;
  };
}
