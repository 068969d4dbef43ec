import type { FleetShape } from '@pushfleet/testing';
import type { BenchFleet } from './bench-fleet';

/** What one benchmark found. `ratio` is always better when larger. */
export interface Figures {
  readonly ratio: number;
  readonly value: number;
  /** The bare way of doing the same, measured in the same run, in the same unit. */
  readonly baseline: number;
  /** What was running and how: processes, batch sizes. */
  readonly config: Readonly<Record<string, string | number | boolean>>;
  readonly details?: Readonly<Record<string, number>>;
}

export interface Benchmark {
  readonly name: string;
  readonly measures: string;
  /** The figure that `ratio` must reach, and the one aimed at. */
  readonly mustReach: number;
  readonly goal: number;
  /** Of `value` and `baseline`. */
  readonly unit: string;
  /** Channels whose workers the fleet runs. */
  readonly workers: readonly string[];
  /** Sizes that it can measure, where not all are. */
  readonly sizes?: { readonly least?: number; readonly most?: number };
  /** For every process of the fleet, beside what the command gives. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Measures on a fleet of its own. */
  run(fleet: BenchFleet, options: BenchOptions): Promise<Figures>;
}

export interface BenchOptions {
  /** Devices, pushes or seconds, as the benchmark says; its default otherwise. */
  readonly size: number | undefined;
  /** One more fleet with the same settings; it is stopped with the first. */
  openFleet(workers: readonly string[], shape: FleetShape): Promise<BenchFleet>;
  /** Aborted when the benchmark is interrupted: for what would go on without its fleet. */
  readonly signal: AbortSignal;
  /** Tells what is being done. */
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

/** Refuses figures of which nothing follows: a duration or a growth of memory too small to be told from nothing. */
export function requireFigures({ ratio, value, baseline }: Figures): void {
  const isMeasured = [ratio, value, baseline].every((figure) => Number.isFinite(figure) && figure > 0);
  if (!isMeasured) throw new Error(`nothing was measured: value ${value}, baseline ${baseline}, ratio ${ratio}`);
}
