import {
  chunksOf,
  sum,
  type ChannelBooks,
  type PushRecord,
  type RecordedWait,
  type WaitReason,
} from '@pushfleet/domain';
import { ALL_SHARDS } from '@pushfleet/store';
import type { ConsolePorts } from './ports';

/** What a channel has left to do, and what it waits for. */
export interface Backlog {
  readonly channel: string;
  readonly pushes: number;
  /** Found for them, and without a verdict. */
  readonly devices: number;
  /** Since when the first of them waits, for what is known; milliseconds since the epoch. */
  readonly waitsSince: number;
  /** When the last of what waits goes on, as far as that is known; milliseconds since the epoch. */
  readonly estimatedDoneAt?: number;
  readonly waiting: readonly ReasonedWait[];
}

interface ReasonedWait {
  readonly reason: WaitReason;
  readonly pushes: number;
  readonly devices: number;
  /** When the last of them ends; milliseconds since the epoch. */
  readonly until: number;
}

export interface Backlogs {
  readonly channels: readonly Backlog[];
  /** False: there are more open pushes than were looked at. */
  readonly isComplete: boolean;
}

/** Open pushes of one push shard that are looked at, those first that the re-driver looked at longest ago. */
const MOST_PER_SHARD = 8;
const SHARDS_AT_ONCE = 32;

export async function readBacklogs({ store }: Pick<ConsolePorts, 'store'>): Promise<Backlogs> {
  const records: PushRecord[] = [];
  let isComplete = true;
  for (const shards of chunksOf(ALL_SHARDS, SHARDS_AT_ONCE)) {
    const ids = await Promise.all(shards.map((shard) => store.audit.openIds(shard, MOST_PER_SHARD)));
    isComplete &&= ids.every(({ length }) => length < MOST_PER_SHARD);
    const found = await Promise.all(ids.flat().map((pushId) => store.pushes.read(pushId)));
    records.push(...found.filter((record) => record !== undefined));
  }
  return { channels: backlogsOf(await store.waits.tell(records)), isComplete };
}

/** A backlog as the API tells it: times as text. */
export const toldBacklog = ({ waitsSince, estimatedDoneAt: at, waiting, ...backlog }: Backlog) => ({
  ...backlog,
  waiting: waiting.map(({ until: _, ...wait }) => wait),
  waitsSince: new Date(waitsSince).toISOString(),
  ...(at === undefined ? {} : { estimatedDoneAt: new Date(at).toISOString() }),
});

export function backlogsOf(records: readonly PushRecord[]): readonly Backlog[] {
  const channels = [...new Set(records.flatMap((record) => Object.keys(record.channels)))].sort();
  return channels.flatMap((channel) => {
    const open = records.filter((record) => leftOf(record.channels[channel]) > 0);
    if (open.length === 0) return [];
    const doneAt = Math.max(0, ...open.map(({ estimatedDoneAt = 0 }) => estimatedDoneAt));
    return {
      channel,
      pushes: open.length,
      waitsSince: Math.min(...open.map(({ pushTime }) => pushTime)),
      devices: open.reduce((all, record) => all + leftOf(record.channels[channel]), 0),
      ...(doneAt === 0 ? {} : { estimatedDoneAt: doneAt }),
      waiting: waitsOf(open.map(({ waiting = [] }) => waiting.filter((wait) => wait.channel === channel))),
    };
  });
}

const leftOf = (books: ChannelBooks | undefined): number => {
  if (!books) return 0;
  const { expected, matched, accepted, discarded, failed } = books;
  return Math.max(0, Math.max(expected, matched) - accepted - sum(discarded) - sum(failed));
};

/** Of each push the waits on one channel. */
function waitsOf(pushes: readonly (readonly RecordedWait[])[]): Backlog['waiting'] {
  const reasons = [...new Set(pushes.flat().map(({ reason }) => reason))].sort();
  return reasons.map((reason) => {
    const waits = pushes.map((all) => all.filter((wait) => wait.reason === reason)).filter(({ length }) => length > 0);
    // Each profile shows all devices that the channel has left of a push.
    const devices = waits.reduce((all, some) => all + Math.max(...some.map((wait) => wait.devices)), 0);
    return { reason, pushes: waits.length, devices, until: Math.max(...waits.flat().map(({ until }) => until)) };
  });
}
