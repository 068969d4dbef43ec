const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Interruption {
  /** Rejects at the first signal. */
  readonly interrupted: Promise<never>;
  /** Aborted by it. */
  readonly signal: AbortSignal;
}

/** Lets the first signal end what is under way and the next one the process, at once. */
export function untilInterrupted(): Interruption {
  const controller = new AbortController();
  const interrupted = new Promise<never>((_, reject) => {
    for (const name of SIGNALS)
      process.on(name, () => {
        if (controller.signal.aborted) process.exit(1);
        // The fleet goes from under the benchmark: what fails because of that is no news.
        for (const event of ['unhandledRejection', 'uncaughtException']) process.on(event, () => undefined);
        controller.abort();
        reject(new Error(`interrupted by ${name}`));
      });
  });
  return { interrupted, signal: controller.signal };
}
