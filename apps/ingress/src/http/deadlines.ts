/** Work that must end in time, all of it within the same time: one timer watches however much of it there is. */
export interface Deadlines {
  /** Settles as the work does, or rejects when its time is over. */
  within<T>(work: Promise<T>): Promise<T>;
}

interface Watched {
  readonly endsAt: number;
  isOver: boolean;
  expire(): void;
}

/** Lateness that nobody minds. */
const TICK_MS = 100;

export function openDeadlines(ms: number, tooLate: () => Error): Deadlines {
  // Oldest first, as all have the same time.
  let watched: Watched[] = [];
  let timer: NodeJS.Timeout | undefined;

  function tick(): void {
    const now = performance.now();
    for (const entry of watched) if (!entry.isOver && entry.endsAt <= now) entry.expire();
    watched = watched.filter(({ isOver }) => !isOver);
    timer = watched.length > 0 ? setTimeout(tick, TICK_MS) : undefined;
  }

  return {
    within: (work) =>
      new Promise((resolve, reject) => {
        const entry: Watched = {
          endsAt: performance.now() + ms,
          isOver: false,
          expire() {
            entry.isOver = true;
            reject(tooLate());
          },
        };
        watched.push(entry);
        timer ??= setTimeout(tick, TICK_MS);
        work.then(
          (value) => {
            entry.isOver = true;
            resolve(value);
          },
          (error: unknown) => {
            entry.isOver = true;
            reject(error);
          },
        );
      }),
  };
}
