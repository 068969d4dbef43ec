/** What one benchmark found. `ratio` is always better when larger. */
export interface Result {
  readonly name: string;
  readonly ratio: number;
  readonly value: number;
  readonly unit: string;
  /** The bare way of doing the same, measured in the same run, in the same unit. */
  readonly baseline: number;
  /** What was running and how: processes, persistence, batch sizes. */
  readonly config: Readonly<Record<string, string | number | boolean>>;
  readonly details?: Readonly<Record<string, number>>;
}

export interface Benchmark {
  readonly name: string;
  readonly measures: string;
  /** The figure that `ratio` must reach, and the one aimed at. */
  readonly mustReach: number;
  readonly goal: number;
  /** `progress` tells what is being done. */
  run(options: BenchOptions): Promise<Result>;
}

export interface BenchOptions {
  /** Devices, pushes or seconds, as the benchmark says; its default otherwise. */
  readonly size: number | undefined;
  /** For every process of the fleet. */
  readonly env: Readonly<Record<string, string>>;
  progress(line: string): void;
}

/** Runs tasks with a bound on how many are under way; resolves with the seconds it took. */
export async function timed(
  count: number,
  concurrency: number,
  task: (index: number) => Promise<unknown>,
): Promise<number> {
  let next = 0;
  const startedAt = performance.now();
  const lane = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await task(next - 1);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, lane));
  return (performance.now() - startedAt) / 1000;
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export const medianOf = (values: readonly number[]): number =>
  percentile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
