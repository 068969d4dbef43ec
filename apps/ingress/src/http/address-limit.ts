import { type App } from '@pushfleet/domain';
import { Refusal } from './problem';

export type AddressLimit = 'savesPerSecond' | 'queriesPerSecond';

/** Throws when an address has asked too much of an app. */
export type CountByAddress = (app: Pick<App, 'id' | 'limits'>, limit: AddressLimit, address: string) => void;

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

  return ({ id, limits }, limit, address) => {
    const perSecond = limits[limit];
    if (perSecond === 0) return;
    const key = `${limit} ${id} ${address}`;
    const bucket = refilled(key, perSecond);
    // The one that was asked for longest ago is the first of the map.
    buckets.delete(key);
    const [oldest] = buckets.size < MAX_BUCKETS ? [] : buckets.keys();
    if (oldest !== undefined) buckets.delete(oldest);
    buckets.set(key, bucket);
    if (bucket.left < 1) throw tooMany(limit, perSecond);
    bucket.left -= 1;
  };
}

function tooMany(limit: AddressLimit, perSecond: number): Refusal {
  const what = limit === 'savesPerSecond' ? 'saves' : 'queries';
  const message = `limits.${limit}: at most ${perSecond} ${what} a second from one address, and ${perSecond * BURST_SECONDS} at once.`;
  return new Refusal('too-many-calls', message, 1);
}
