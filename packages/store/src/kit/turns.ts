/** Resolves its callers in the order of asking, some in each round of the event loop. */
export type NextTurn = () => Promise<void>;

/** One more caller for so many milliseconds that others took of the round before. */
const MS_PER_CALLER = 4;

interface TurnTimes {
  /** Milliseconds that a caller takes of a round by itself, where that is much: they let nobody else go on. */
  readonly ownMs?: number;
  readonly now?: () => number;
}

/**
 * A page costs a millisecond or two of computing at each of its steps, a walk with a costly condition some at every turn. When many
 * go on at once, other work gets the processor after each of them and not behind all. Where other work makes the rounds long, they
 * get a part of their time: one step in a round would let a campaign stand still beside a burst of messages.
 */
export function openTurns({ ownMs = 0, now = () => performance.now() }: TurnTimes = {}): NextTurn {
  const waiting: (() => void)[] = [];
  let begunAt: number | undefined;
  let served = 0;
  const beginRound = (): void => {
    const at = now();
    const othersMs = at - (begunAt ?? at) - served * ownMs;
    const next = waiting.splice(0, Math.max(1, Math.floor(othersMs / MS_PER_CALLER)));
    for (const goOn of next) goOn();
    served = next.length;
    begunAt = served > 0 ? at : undefined;
    if (begunAt !== undefined) setImmediate(beginRound);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (begunAt !== undefined) return;
      begunAt = now();
      setImmediate(beginRound);
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
