export interface OneAtATime {
  /** Resolves after a run that began when this was called, or later; after the stop without one. */
  run(): Promise<void>;
  /** Waits for the runs that were asked for. */
  stop(): Promise<void>;
}

/** Runs of one thing, each after the one before: what is read last is what stays. */
export function oneAtATime(task: () => Promise<void>): OneAtATime {
  let last: Promise<void> = Promise.resolve();
  let isStopped = false;
  return {
    run() {
      if (!isStopped) last = last.then(task, task);
      return isStopped ? Promise.resolve() : last;
    },
    async stop() {
      isStopped = true;
      await Promise.allSettled([last]);
    },
  };
}
