import type { JsonObject } from '@pushfleet/domain';
import type { BenchApp, BenchFleet } from './bench-fleet';
import type { Benchmark } from './benchmark';
import { fillApp, NAMED, smallAudienceRates, type SmallAudience } from './small-audience';

export const channelOf = (i: number): string => `user-${i}`;

/** Channels of one subscriber each; the other devices have one in common. */
const oneSubscriber: SmallAudience = {
  fieldsOf: (i): JsonObject => (i < NAMED ? { channels: [channelOf(i)] } : {}),
  to: (i) => ({ channels: [channelOf(i)] }),
  isReady: ({ store }, app) => store.installations.channels.isSound(app.id),
};

/** Stores an app whose first installations have a channel of their own; resolves with the installationIds of these. */
export const fillChannels = (fleet: BenchFleet, app: BenchApp, size: number): Promise<readonly string[]> =>
  fillApp(fleet, app, { size, audience: oneSubscriber });

export const channel: Benchmark = {
  name: 'channel',
  measures: 'pushes/s by a channel of one subscriber, from accept to vendor call, against the same by installationId',
  mustReach: 0.7,
  goal: 0.9,
  unit: 'pushes/s',
  workers: ['hms'],
  run: (fleet, options) => smallAudienceRates(fleet, oneSubscriber, options),
};
