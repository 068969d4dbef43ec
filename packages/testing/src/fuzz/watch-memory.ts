import { collectGarbage } from './collect-garbage';

/** What the process held at most, beyond what it held at first. */
export interface MemoryWatch {
  /** Bytes. */
  stop(): number;
}

const LOOK_EVERY_MS = 50;

const SETTLES_AFTER_MS = 10;

/** Beyond this, garbage goes before it is counted: how much of it there is depends on what the process did before. */
const COLLECT_BEYOND = 256 * 1024 * 1024;

export function watchMemory(): MemoryWatch {
  const heldNow = (): number => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = heldNow();
  let most = before;
  const count = (): void => void (most = Math.max(most, heldNow()));
  const look = (): void => {
    if (heldNow() <= Math.max(most, before + COLLECT_BEYOND)) return count();
    collectGarbage();
    // What lies outside of the heap is given back a moment after what held it.
    setTimeout(count, SETTLES_AFTER_MS).unref();
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      return most - before;
    },
  };
}
