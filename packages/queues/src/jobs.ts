import { hash, randomUUID } from 'node:crypto';
import { groupBy, type StoredPage } from '@pushfleet/domain';
import type { ChannelJob, Envelope, PagesJob } from './job-schemas';
import type { NewJob } from './producer';

/** A record is written at the same time as the first job of its push: a push that has none after this time was not accepted. */
export const RECORD_LATE_MS = 5000;

/**
 * Plans pushes. The id tells the whole content: a repeated req_id can put a push into a second envelope, and an id taken from one
 * push would let the first envelope hide the other pushes of the second.
 */
export function envelopeJob(pushIds: readonly string[], priority = 0): NewJob<Envelope> {
  const [first = ''] = pushIds;
  const id = pushIds.length === 1 ? soleJobId(first) : `${first}-${hash('sha1', pushIds.join(' '), 'hex')}`;
  return { id, data: { pushIds: [...pushIds] }, ...(priority > 0 ? { priority } : {}) };
}

/** Names the envelope of a push that is alone in it, as a scheduled push is. */
export const soleJobId = (pushId: string): string => pushId;

const CANCELLED = '-cancelled';

/** Looks at a cancelled push at once, beside whatever waits for it. */
export const cancelJob = (pushId: string): NewJob<Envelope> => ({
  id: `${pushId}${CANCELLED}`,
  data: { pushIds: [pushId] },
});

/** Where a part of a push's plan is worked on. */
export interface PartPlace {
  readonly pushId: string;
  readonly channel: string;
  /** Nothing waits any more: the job stands beside one that may still wait. */
  readonly isCancelled?: boolean | undefined;
}

const partId = ({ pushId, channel, isCancelled }: PartPlace, part: string | number): string =>
  `${pushId}-${channel}-${part}${isCancelled === true ? CANCELLED : ''}`;

export const laneJob = (place: PartPlace, lane: number): NewJob<ChannelJob> => ({
  id: partId(place, lane),
  data: { pushId: place.pushId, lane },
});

/** A page that has a job of its own: one that is tried again, for instance. */
export const pageJob = (place: PartPlace, page: number, delayMs: number): NewJob<ChannelJob> => ({
  id: partId(place, `p${page}`),
  data: { pages: [{ pushId: place.pushId, page }] },
  delayMs: Math.max(0, delayMs),
});

/** Names the job that carries the pages of an envelope for one channel. */
export const carrierJobId = (envelope: string, channel: string): string => `${envelope}-${channel}`;

export const carrierJob = (
  envelope: string,
  channel: string,
  pages: readonly PagesJob['pages'][number][],
): NewJob<ChannelJob> => ({ id: carrierJobId(envelope, channel), data: { pages: [...pages], envelope } });

/** Names an envelope that no dispatcher plans. */
export const newEnvelopeId = (): string => randomUUID();

/** A push and pages of its plan by their numbers. */
export interface PlannedPages {
  readonly pushId: string;
  readonly pages: readonly (readonly [page: number, content: StoredPage])[];
}

export interface CarrierEnvelope {
  readonly id: string;
  /** 0: none. */
  readonly priority: number;
}

/** The pages of one envelope make one job per channel. Pages of another envelope are left to that envelope. */
export function carrierJobs(
  { id: envelope, priority }: CarrierEnvelope,
  pushes: readonly PlannedPages[],
): readonly (readonly [channel: string, job: NewJob<ChannelJob>])[] {
  const pages = pushes.flatMap(({ pushId, pages: own }) =>
    own
      .filter(([, content]) => content.envelope === envelope)
      .map(([page, { channel }]) => ({ channel, ref: { pushId, page } })),
  );
  return [...groupBy(pages, ({ channel }) => channel)].map(([channel, group]) => {
    const refs = group.map(({ ref }) => ref);
    return [channel, { priority, ...carrierJob(envelope, channel, refs) }];
  });
}
