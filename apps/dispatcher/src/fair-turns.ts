interface Waiter {
  begin(): void;
}

/** Runs a bounded amount of work of many owners at once. The owners take turns, however much work one of them brings. */
export function openFairTurns(atOnce: number): <T>(owner: string, work: () => Promise<T>) => Promise<T> {
  const waiting = new Map<string, Waiter[]>();
  let running = 0;

  function beginNext(): void {
    if (running >= atOnce) return;
    const [next] = waiting;
    if (!next) return;
    const [owner, [first, ...others]] = next;
    // The owner goes behind all other waiting owners.
    waiting.delete(owner);
    if (others.length > 0) waiting.set(owner, others);
    running += 1;
    first?.begin();
  }

  return async (owner, work) => {
    await new Promise<void>((begin) => {
      const queue = waiting.get(owner);
      if (queue) queue.push({ begin });
      else waiting.set(owner, [{ begin }]);
      beginNext();
    });
    try {
      return await work();
    } finally {
      running -= 1;
      beginNext();
    }
  };
}
