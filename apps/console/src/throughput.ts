import { OWN_CHANNEL } from '@pushfleet/domain';
import type { Total } from '@pushfleet/store';
import type { ConsolePorts } from './ports';

/** How many devices each channel has given a verdict on, of all pushes ever; two looks tell a speed. */
export interface Throughput {
  readonly at: string;
  readonly results: readonly { readonly channel: string; readonly decided: number }[];
}

/** Reads sums that the books keep: as many of them whatever the number of apps, pushes and devices. */
export async function readThroughput({
  store,
  channels,
  now,
}: Pick<ConsolePorts, 'store' | 'channels' | 'now'>): Promise<Throughput> {
  return {
    results: decidedBy([...channels.keys(), OWN_CHANNEL], await store.deviceTotals()),
    at: new Date(now()).toISOString(),
  };
}

export function decidedBy(channels: readonly string[], totals: readonly Total[]): Throughput['results'] {
  const sums = new Map(channels.map((channel) => [channel, 0]));
  for (const { channel, count } of totals.filter(isVerdict)) sums.set(channel, (sums.get(channel) ?? 0) + count);
  return [...sums].map(([channel, decided]) => ({ channel, decided })).sort(byChannel);
}

const isVerdict = ({ kind, value }: Total): boolean =>
  kind === 'discarded' || kind === 'failed' || (kind === 'count' && value === 'accepted');

const byChannel = (one: { readonly channel: string }, other: { readonly channel: string }): number =>
  one.channel < other.channel ? -1 : 1;
