/** What the process held at most, beyond what it held at first. */
export interface MemoryWatch {
  /** Bytes. */
  stop(): number;
}

const LOOK_EVERY_MS = 50;

export function watchMemory(): MemoryWatch {
  const heldNow = (): number => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = heldNow();
  let most = before;
  const look = (): void => void (most = Math.max(most, heldNow()));
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      look();
      return most - before;
    },
  };
}
