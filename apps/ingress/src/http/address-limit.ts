import { CHANGES_PER_SAVE, type App } from '@pushfleet/domain';
import { Refusal } from './problem';

export type AddressLimit = 'savesPerSecond' | 'queriesPerSecond';

/** Throws when an address has asked too much of an app. */
export type CountByAddress = (app: Pick<App, 'id' | 'limits'>, asked: AskedByAddress) => void;

export interface AskedByAddress {
  readonly limit: AddressLimit;
  readonly address: string;
  /** As how many it counts, up to what may come at once; absent: as one. */
  readonly times?: number;
  /** As how many of them it was counted before. */
  readonly counted?: number;
}

interface Bucket {
  left: number;
  at: number;
}

/** Seconds' worth that may come at once: a carrier puts thousands of phones behind one address. */
const BURST_SECONDS = 10;
const MAX_BUCKETS = 100_000;

/**
 * What one address may ask of an app with the app key, so that nobody's storm uses up what the app's other devices may.
 * Of this process alone: a count for all of them would cost each save a round trip.
 */
export function openAddressLimit(now: () => number): CountByAddress {
  const buckets = new Map<string, Bucket>();

  function refilled(key: string, perSecond: number): Bucket {
    const known = buckets.get(key);
    const at = now();
    const full = perSecond * BURST_SECONDS;
    const left = known ? Math.min(full, known.left + ((at - known.at) / 1000) * perSecond) : full;
    return { left, at };
  }

  return ({ id, limits }, { limit, address, times = 1, counted = 0 }) => {
    const perSecond = limits[limit];
    if (perSecond === 0) return;
    const key = `${limit} ${id} ${address}`;
    const bucket = refilled(key, perSecond);
    // The one that was asked for longest ago is the first of the map.
    buckets.delete(key);
    const [oldest] = buckets.size < MAX_BUCKETS ? [] : buckets.keys();
    if (oldest !== undefined) buckets.delete(oldest);
    buckets.set(key, bucket);
    // One that counts as more than may come at once would never be taken.
    const all = Math.min(times, perSecond * BURST_SECONDS);
    if (bucket.left < all - counted) throw tooMany(limit, perSecond, all - bucket.left);
    bucket.left -= all - counted;
  };
}

function tooMany(limit: AddressLimit, perSecond: number, missing: number): Refusal {
  const [what, counting] =
    limit === 'savesPerSecond'
      ? ['saves', `; a save counts once for every ${CHANGES_PER_SAVE} channels or indexed values that it changes`]
      : ['queries', ''];
  const atOnce = perSecond * BURST_SECONDS;
  const message = `limits.${limit}: at most ${perSecond} ${what} a second from one address, and ${atOnce} at once${counting}.`;
  return new Refusal('too-many-calls', message, Math.ceil(missing / perSecond));
}
