import { bucketOfProfile, groupBy, PAGE_DEVICES, type DiscardReason } from '@pushfleet/domain';
import type { PreflightCount, PreflightWay, Store } from '@pushfleet/store';
import type { Plan } from '../plan';
import { addPage, exactCount, isCalledFor, newTally } from './tally';

export type Ways = Readonly<Record<string, PreflightWay>>;

/** Of a profile that was saved after the question. */
const USUAL: PreflightWay = { pageDevices: PAGE_DEVICES, maxBatch: PAGE_DEVICES };

export const wayOf = (ways: Ways, { channel, profile }: { readonly channel: string; readonly profile: string }) =>
  ways[bucketOfProfile(channel, profile)] ?? USUAL;

interface DirectParts {
  readonly store: Store;
  readonly app: string;
  readonly ways: Ways;
}

/** Devices that the plan names: the pages are sent as they are. */
export async function countPages(
  { store, app, ways }: DirectParts,
  pages: Plan['pages'],
): Promise<readonly PreflightCount[]> {
  const byWay = groupBy(pages, ({ channel, profile }) => bucketOfProfile(channel, profile));
  return Promise.all(
    [...byWay.values()].map(async (group) => {
      const [{ channel, profile }] = group as [Plan['pages'][number]];
      const tally = newTally();
      for (const { devices } of group) {
        const objectIds = devices.map(([objectId]) => objectId);
        await addPage(tally, store.installations, { app, channel, objectIds });
      }
      const { maxBatch } = wayOf(ways, { channel, profile });
      const calls = group.reduce((sum, { devices }) => sum + Math.ceil(devices.length / maxBatch), 0);
      return exactCount({ channel, profile }, tally, isCalledFor({ channel }) ? calls : 0);
    }),
  );
}

/** Devices that the plan discards without a look at each of them. */
export function countDiscards(books: Plan['books']): readonly PreflightCount[] {
  return books.flatMap(({ channel, errors }) =>
    [...errors.values()]
      .filter(({ count }) => count > 0)
      .map(({ reason, count }) => {
        const tally = { matched: count, discarded: new Map([[reason as DiscardReason, count]]) };
        return exactCount({ channel }, tally, 0);
      }),
  );
}

/** Why no device was looked for. */
export const problemOf = (books: Plan['books']): string | undefined =>
  books.flatMap(({ channel, errors }) => (channel === '' ? [...errors.values()] : []))[0]?.vendorMessage;
