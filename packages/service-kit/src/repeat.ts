export interface Repeated {
  /** Begins no further run and waits for the one under way. */
  stop(): Promise<void>;
}

/** The longest that a timer of Node waits; with more it would run at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Runs something again and again, one run at a time, with a pause in between. */
export function repeat(pauseMs: number, run: () => Promise<void>, onError: (error: unknown) => void): Repeated {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const schedule = (): void => {
    if (isStopped) return;
    timer = setTimeout(
      () => {
        running = run().catch(onError).finally(schedule);
      },
      Math.min(pauseMs, LONGEST_TIMER_MS),
    );
  };
  schedule();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
