import { OWN_CHANNEL, ownRefusal, type DiscardReason } from '@pushfleet/domain';
import type { PreflightCount, Store } from '@pushfleet/store';

/** Devices that share a way, and what a look at each of them says. */
export interface Tally {
  matched: number;
  readonly discarded: Map<DiscardReason, number>;
}

/** Where devices go, or why they go nowhere. */
export interface Destination {
  readonly app: string;
  readonly channel: string;
  readonly discard?: DiscardReason | undefined;
}

type Records = Pick<Store['installations'], 'installationIds'>;

export const newTally = (): Tally => ({ matched: 0, discarded: new Map() });

/** Counts devices of one page. */
export async function addPage(
  tally: Tally,
  records: Records,
  { app, channel, discard, objectIds }: Destination & { readonly objectIds: readonly string[] },
): Promise<void> {
  tally.matched += objectIds.length;
  if (discard) return refuse(tally, discard, objectIds.length);
  if (channel !== OWN_CHANNEL || objectIds.length === 0) return;
  const ids = await records.installationIds(app, objectIds);
  for (const objectId of objectIds) {
    const refusal = ownRefusal(ids, objectId);
    if (refusal) refuse(tally, refusal, 1);
  }
}

function refuse({ discarded }: Tally, reason: DiscardReason, count: number): void {
  if (count > 0) discarded.set(reason, (discarded.get(reason) ?? 0) + count);
}

export function addTally(to: Tally, { matched, discarded }: Tally): void {
  to.matched += matched;
  for (const [reason, count] of discarded) refuse(to, reason, count);
}

/** The devices that are left to send to. */
export const sendableOf = ({ matched, discarded }: Tally): number =>
  [...discarded.values()].reduce((left, count) => left - count, matched);

/** The vendor is not called for devices that are discarded by rule, nor is there one for the own channel. */
export const isCalledFor = ({ channel, discard }: Pick<Destination, 'channel' | 'discard'>): boolean =>
  channel !== OWN_CHANNEL && discard === undefined;

/** What a whole look at the devices says. */
export const exactCount = (
  { channel, profile }: { readonly channel: string; readonly profile?: string },
  tally: Tally,
  calls: number,
): PreflightCount => ({
  channel,
  matched: tally.matched,
  sendable: sendableOf(tally),
  calls,
  margin: 0,
  discarded: Object.fromEntries(tally.discarded),
  ...(profile === undefined ? {} : { profile }),
});
