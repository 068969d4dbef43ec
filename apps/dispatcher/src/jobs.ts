import { groupBy, type Lane, type StoredPage } from '@pushfleet/domain';
import {
  carrierJobId,
  carrierJobs,
  laneJob,
  pageJob,
  type CarrierEnvelope,
  type ChannelJob,
  type NewJob,
  type PlannedPages,
  type Producer,
} from '@pushfleet/queues';
import { walkerOf } from './walker-of';

export interface ChannelQueues {
  direct(channel: string): Producer<ChannelJob>;
  bulk(channel: string): Producer<ChannelJob>;
  /** Channels that have queues. */
  readonly channels: ReadonlySet<string>;
}

export interface PushParts {
  readonly pushId: string;
  readonly lanes: readonly Lane[];
  readonly pages: readonly (readonly [page: number, content: StoredPage])[];
  /** The push must not wait any more: its rest is booked, beside jobs that may still wait. */
  readonly isCancelled?: boolean;
}

/** Adds a job for every part; live jobs with the same id stay as they are. */
export async function addPartJobs(queues: ChannelQueues, pushes: readonly PushParts[], now: number): Promise<void> {
  const lanes = pushes.flatMap((parts) =>
    parts.lanes.map((lane) => {
      const channel = walkerOf(lane.channel, queues.channels);
      return { channel, job: laneJob({ ...parts, channel }, lane.id) };
    }),
  );
  const later = pushes.flatMap((parts) =>
    parts.pages.map(([page, { channel, direct, dueAt }]) => ({
      channel,
      direct,
      job: pageJob({ ...parts, channel }, page, parts.isCancelled === true ? 0 : dueAt - now),
    })),
  );
  await Promise.all([
    ...byChannel(lanes).map(([channel, jobs]) => queues.bulk(channel).add(jobs)),
    ...byChannel(later.filter(({ direct }) => !direct)).map(([channel, jobs]) => queues.bulk(channel).add(jobs)),
    ...byChannel(later.filter(({ direct }) => direct)).map(([channel, jobs]) => queues.direct(channel).add(jobs)),
  ]);
}

function byChannel(
  entries: readonly { channel: string; job: NewJob<ChannelJob> }[],
): readonly (readonly [string, readonly NewJob<ChannelJob>[]])[] {
  const groups = groupBy(entries, ({ channel }) => channel);
  return [...groups].map(([channel, group]) => [channel, group.map(({ job }) => job)]);
}

/** Adds the jobs of the direct pages of one envelope. The plan need not be written yet: a job waits for it. */
export async function addEnvelopeJobs(
  queues: ChannelQueues,
  envelope: CarrierEnvelope,
  pushes: readonly PlannedPages[],
): Promise<void> {
  await Promise.all(carrierJobs(envelope, pushes).map(([channel, job]) => queues.direct(channel).add([job])));
}

/** The parts without pages whose envelope is still under way: a second job would send those twice. */
export async function withoutLiveEnvelopes(queues: ChannelQueues, parts: PushParts): Promise<PushParts> {
  const isCarried = await Promise.all(
    parts.pages.map(
      async ([, { channel, envelope }]) =>
        envelope !== undefined && (await queues.direct(channel).has(carrierJobId(envelope, channel))),
    ),
  );
  return { ...parts, pages: parts.pages.filter((_, i) => !isCarried[i]) };
}
