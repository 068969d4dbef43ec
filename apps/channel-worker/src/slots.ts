/** A bounded number of things at once, in the order of asking. */
export interface Slots {
  take(): Promise<void>;
  /** False when none is free right now. */
  tryTake(): boolean;
  free(): void;
}

export function openSlots(count: number): Slots {
  let left = count;
  const waiting: (() => void)[] = [];
  return {
    async take() {
      if (left > 0) left -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    tryTake() {
      if (left === 0) return false;
      left -= 1;
      return true;
    },
    free() {
      const next = waiting.shift();
      if (next) next();
      else left += 1;
    },
  };
}
