import type { DiscardReason, Reason } from './reasons';
import type { RouteBucket } from './route';

/** A fixed share of an app's shards for one (channel, profile) of one push; one job that re-queues itself. */
export interface Lane {
  readonly id: number;
  readonly channel: string;
  readonly profile: string;
  readonly bucket: RouteBucket;
  /** First shard, and the one after the last. */
  readonly fromShard: number;
  readonly toShard: number;
  /** Walk without calling the vendor and book this. */
  readonly discard?: DiscardReason;
  /** Registrations that were retired later are not its own, in milliseconds since the epoch: another lane tells of them. */
  readonly retiredUntil?: number;
}

/** A device of a stored page: its objectId and, when it is already known, the address. */
export type PageDevice = readonly [objectId: string, registrationId?: string];

/** Devices of a page, about: what is folded at once, in as many vendor calls as it takes. */
export const PAGE_DEVICES = 1000;

/** Devices that stand in the ledger by name: those of an addressed push, or the deferred ones of a page. */
export interface StoredPage {
  readonly channel: string;
  readonly profile: string;
  readonly devices: readonly PageDevice[];
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
  readonly tries: number;
  /** Of these, those that the vendor may have taken. */
  readonly unknowns?: number;
  /** Of these, those that ended in what is tried a few times only: no wait for a vendor that is away or busy. */
  readonly limited?: number;
  /** Goes through the direct queue, ahead of lanes. */
  readonly direct: boolean;
  /** The push named no devices, these were found for it: what may have been taken is not repeated. */
  readonly forAudience?: boolean;
  /** Carries the page together with others; without it, the page has a job of its own. */
  readonly envelope?: string;
  /** How the devices are booked when the push expires before a try succeeds. */
  readonly booksAs?: Reason;
}

/** How far a lane is folded: the last folded device in (shard, objectId) order; `objectId` is empty before the first. */
export interface LanePosition {
  readonly shard: number;
  readonly objectId: string;
}
