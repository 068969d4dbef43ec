import type { LanePosition } from '@pushfleet/domain';
import { shardOf, type Tries, type WalkedPage } from '@pushfleet/store';
import type { PageResult } from './page-calls';
import { deferredBy } from './send-batch';
import { withoutCall, type Retry, type Verdict } from './verdict';

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

const DEFECT: Retry = { pause: 'backoff', retryAfterMs: undefined, booksAs: 'internal-error', words: {} };

/** The deferred devices of the page become retry pages. */
export function folded(result: PageResult, retryAfterMs: number): FoldedPage {
  const { retry = DEFECT, repeats, verdicts } = result;
  const isHeld = retry.isHeld === true;
  const later = (ended: Retry): Verdict => deferredBy({ ...ended, isHeld, retryAfterMs });
  const rest = later(withoutCall(retry));
  const laterAt = (place: number): Verdict => {
    const ended = repeats?.get(place);
    return ended ? later(ended) : rest;
  };
  return { ...result, verdicts: verdicts.map((verdict, place) => verdict ?? laterAt(place)) };
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
