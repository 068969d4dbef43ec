import { LIMITS } from '@pushfleet/domain';
import { Refusal } from './refusal';

/** A stream may take minutes: whoever has one too many is told at once, and does not wait. */
const RETRY_SECONDS = 5;

/** Shares out what streams hold, a connection and a piece each. */
export class StreamPlaces {
  private readonly taken = new Map<string, number>();
  private total = 0;

  /** Takes a place until the returned function is called; throws when there is none. */
  take(account: string | undefined): () => void {
    if (account === undefined) return () => undefined;
    const { streams, streamsInAll } = LIMITS;
    const mine = this.taken.get(account) ?? 0;
    if (mine >= streams.value) throw tooMany(`${streams.value} streams of one caller`);
    if (this.total >= streamsInAll.value) throw tooMany(`${streamsInAll.value} streams of all callers together`);
    this.count(account, 1);
    return () => this.count(account, -1);
  }

  private count(account: string, change: 1 | -1): void {
    this.total += change;
    const left = (this.taken.get(account) ?? 0) + change;
    if (left > 0) this.taken.set(account, left);
    else this.taken.delete(account);
  }
}

const tooMany = (most: string): Refusal =>
  new Refusal('too-many-calls', `At most ${most} at once; one begins when another has ended.`, RETRY_SECONDS);
