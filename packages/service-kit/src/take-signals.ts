/** A wish of the world that the process ends. */
export type Wish = { readonly kind: 'signal'; readonly signal: NodeJS.Signals } | { readonly kind: 'launcher-gone' };

export interface Signals {
  /** Hears every wish from now on, and first of all those that came before. */
  listen(onWish: (wish: Wish) => void): void;
}

/** Takes the signals of the process. Without a listener a wish is kept, so that a process may take them before it can stop. */
export function takeSignals(): Signals {
  const early: Wish[] = [];
  let hear = (wish: Wish): void => void early.push(wish);
  const onSignal = (signal: NodeJS.Signals): void => hear({ kind: 'signal', signal });
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  if (process.send !== undefined) process.on('disconnect', () => hear({ kind: 'launcher-gone' }));
  return {
    listen(onWish) {
      hear = onWish;
      early.splice(0).forEach(onWish);
    },
  };
}
