import type { LanePosition } from '@pushfleet/domain';
import { shardOf, type Tries, type WalkedPage } from '@pushfleet/store';
import type { PageResult } from './page-calls';
import { deferredBy } from './send-batch';
import { type Retry, type Verdict } from './verdict';

/** A page whose vendor calls are under way; its place is held until it is folded. */
export interface Flight {
  readonly from: LanePosition;
  readonly to: LanePosition | 'done';
  readonly page: WalkedPage;
  readonly tries: Tries;
  readonly result: Promise<PageResult>;
}

/** A page whose devices all have a verdict; some may have to be tried later. */
export interface FoldedPage extends PageResult {
  readonly verdicts: readonly Verdict[];
}

const isKnown = (verdict: Verdict | undefined): boolean => verdict !== undefined;

export const unknownsOf = (retry: Retry | undefined): number => Number(retry?.isUnknown === true);

/** The deferred devices of the page become a retry page. */
export function folded(result: PageResult, retryAfterMs: number): FoldedPage {
  const { retry, verdicts } = result;
  const later = deferredBy({ booksAs: 'internal-error', words: {}, ...retry, pause: 'backoff', retryAfterMs });
  return { ...result, verdicts: verdicts.map((verdict) => verdict ?? later) };
}

/** Devices that the vendor may have got the message for: they are not walked to again. */
const reachedIn = ({ verdicts, retry, called = 0 }: PageResult): number =>
  Math.max(verdicts.findLastIndex(isKnown) + 1, retry?.isUnknown === true ? called : 0);

export const isReached = (result: PageResult): boolean => !result.retry || reachedIn(result) > 0;

/** The part of a page up to the last device that the vendor may have got the message for. */
export function upToLastReached(flight: Flight, result: PageResult): { flight: Flight; result: PageResult } {
  const count = reachedIn(result);
  const devices = flight.page.devices.slice(0, count);
  const objectId = devices.at(-1)?.objectId ?? '';
  if (count === flight.page.devices.length) return { flight, result };
  return {
    flight: { ...flight, to: { shard: shardOf(objectId), objectId }, page: { ...flight.page, devices } },
    result: { ...result, verdicts: result.verdicts.slice(0, count) },
  };
}

export const isCredentialsRefusal = (verdict: Verdict): boolean =>
  verdict.kind === 'discarded' && verdict.reason === 'credentials-rejected';
