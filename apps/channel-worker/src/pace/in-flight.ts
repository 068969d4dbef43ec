import type { WorkerRank } from '@pushfleet/store';

const SOLE: WorkerRank = { rank: 0, count: 1 };

/** Calls under way by profile; the workers of a channel divide what a profile may have. */
export class CallsInFlight {
  private readonly calls = new Map<string, number>();
  place = SOLE;

  /** False when this worker's part is taken. */
  begin(profile: string, most: number): boolean {
    const calls = this.calls.get(profile) ?? 0;
    if (calls >= partOf(most, this.place)) return false;
    this.calls.set(profile, calls + 1);
    return true;
  }

  end(profile: string): void {
    const left = (this.calls.get(profile) ?? 0) - 1;
    if (left > 0) this.calls.set(profile, left);
    else this.calls.delete(profile);
  }
}

/** Parts that differ by one at most and together make up the whole. */
export const partOf = (whole: number, { rank, count }: WorkerRank): number =>
  Math.floor(whole / count) + (rank < whole % count ? 1 : 0);
