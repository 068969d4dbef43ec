/** Resolves one caller per round of the event loop, in the order of asking. */
export type Turn = () => Promise<void>;

/**
 * A page costs milliseconds of computing. When many pages are answered at once, other work gets the processor after each page
 * and not behind all of them.
 */
export function openTurns(): Turn {
  const waiting: (() => void)[] = [];
  const serve = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(serve);
  };
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(serve);
    });
}
