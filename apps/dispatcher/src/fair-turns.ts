interface Waiter {
  begin(): void;
}

/**
 * Runs a bounded amount of work of many owners at once. The owners take turns, however much work one of them brings, and none has
 * more than its part under way: what takes long leaves places to whoever comes next.
 */
export function openFairTurns(atOnce: number): <T>(owner: string, work: () => Promise<T>) => Promise<T> {
  const ofOne = Math.ceil(atOnce / 2);
  const waiting = new Map<string, Waiter[]>();
  const underWay = new Map<string, number>();
  let running = 0;

  const note = (owner: string, change: number): void => {
    running += change;
    const count = (underWay.get(owner) ?? 0) + change;
    if (count > 0) underWay.set(owner, count);
    else underWay.delete(owner);
  };

  function nextOwner(): string | undefined {
    for (const owner of waiting.keys()) if ((underWay.get(owner) ?? 0) < ofOne) return owner;
    return undefined;
  }

  function beginNext(): void {
    const owner = running < atOnce ? nextOwner() : undefined;
    if (owner === undefined) return;
    const [first, ...others] = waiting.get(owner) ?? [];
    // The owner goes behind all other waiting owners.
    waiting.delete(owner);
    if (others.length > 0) waiting.set(owner, others);
    note(owner, +1);
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
      note(owner, -1);
      beginNext();
    }
  };
}
