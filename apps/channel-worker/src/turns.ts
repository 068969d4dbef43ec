/** Resolves its callers in the order of asking, some in each round of the event loop. */
export type Turn = () => Promise<void>;

/** One more caller for so many milliseconds that the round before took. */
const MS_PER_CALLER = 4;

/**
 * A page costs a millisecond or two of computing at each of its steps. When many pages are answered at once, other work gets the
 * processor after each page and not behind all of them. Where other work makes the rounds long, pages get a part of their time:
 * one step in a round would let a campaign stand still beside a burst of messages.
 */
export function openTurns(now: () => number = () => performance.now()): Turn {
  const waiting: (() => void)[] = [];
  let begunAt = 0;
  const serve = (): void => {
    const at = now();
    const callers = Math.max(1, Math.floor((at - begunAt) / MS_PER_CALLER));
    for (const next of waiting.splice(0, callers)) next();
    if (waiting.length > 0) nextRound(at);
  };
  const nextRound = (at: number): void => {
    begunAt = at;
    setImmediate(serve);
  };
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) nextRound(now());
    });
}

/** At most so many callers go on in one round of the event loop; the first of them at once. */
export function openRoundLimit(most: number): () => Promise<void> | undefined {
  const waiting: (() => void)[] = [];
  let begun = 0;
  const nextRound = (): void => {
    begun = 0;
    for (const next of waiting.splice(0, most)) {
      begun += 1;
      next();
    }
    if (begun > 0) setImmediate(nextRound);
  };
  return () => {
    if (begun === 0) setImmediate(nextRound);
    if (begun < most) {
      begun += 1;
      return undefined;
    }
    return new Promise((resolve) => void waiting.push(resolve));
  };
}
