import type { WorkerRank } from '@pushfleet/store';

const SOLE: WorkerRank = { rank: 0, count: 1 };

/** Calls under way by profile; the workers of a channel divide what a profile may have. */
export class CallsInFlight {
  private readonly calls = new Map<string, number>();
  place = SOLE;

  /** How many of the wanted calls this worker's part has room for. */
  begin(profile: string, { most, wanted }: { most: number; wanted: number }): number {
    const calls = this.calls.get(profile) ?? 0;
    const granted = Math.max(0, Math.min(wanted, partOf(most, this.place) - calls));
    if (granted > 0) this.calls.set(profile, calls + granted);
    return granted;
  }

  end(profile: string, granted: number): void {
    const left = (this.calls.get(profile) ?? 0) - granted;
    if (left > 0) this.calls.set(profile, left);
    else this.calls.delete(profile);
  }
}

/** Parts that differ by one at most and together make up the whole. */
export const partOf = (whole: number, { rank, count }: WorkerRank): number =>
  Math.floor(whole / count) + (rank < whole % count ? 1 : 0);
