import { setTimeout as delay } from 'node:timers/promises';
import { mergeRecords, sum, type ChannelBooks, type PushRecord } from '@pushfleet/domain';
import { cancelJob, type Envelope, type Producer } from '@pushfleet/queues';
import { type PushRecords, type PushSchedule } from '@pushfleet/store';

/** What a cancel found, in devices, at that moment. */
export interface Cancelled {
  /** Booked as cancelled. */
  readonly cancelled: number;
  /** Accepted by their channel before. */
  readonly sent: number;
  /** Without verdict yet; whoever is not in the vendor's hands already will be booked as cancelled. */
  readonly outstanding: number;
}

/** Cancels pushes of one app; an empty object when there is none. */
export type CancelPush = (app: string, records: readonly PushRecord[]) => Promise<Cancelled | Record<string, never>>;

export interface CancelPorts {
  readonly pushes: Pick<PushRecords, 'cancel' | 'read'>;
  readonly schedule: Pick<PushSchedule, 'leave'>;
  readonly requests: Pick<Producer<Envelope>, 'add'>;
  readonly now: () => number;
}

/** Cancels that wait for the books at once; further ones of a batch answer as of now. */
const WAITING_AT_ONCE = 8;

export function openCancelPush(ports: CancelPorts): CancelPush {
  let waiting = 0;
  const cancel = async (app: string, record: PushRecord): Promise<PushRecord | undefined> => {
    const waitMs = waiting < WAITING_AT_ONCE ? WAIT_MS : 0;
    waiting += 1;
    return cancelOne(ports, app, { record, waitMs }).finally(() => (waiting -= 1));
  };
  return async (app, records) => {
    const live = records.filter(({ isCancelled }) => isCancelled !== true);
    const after = await Promise.all(live.map((record) => cancel(app, record)));
    const merged = mergeRecords(after.filter((record) => record !== undefined));
    return merged ? countsOf(merged) : {};
  };
}

async function cancelOne(
  { pushes, schedule, requests, now }: CancelPorts,
  app: string,
  { record: { objectId, number, status }, waitMs }: { readonly record: PushRecord; readonly waitMs: number },
): Promise<PushRecord | undefined> {
  await pushes.cancel(objectId, now());
  if (number !== undefined) await schedule.leave(app, { number, pushId: objectId });
  if (status !== 'in-queue') return pushes.read(objectId);
  // What waits for a vendor would learn of the cancel only when its wait is over.
  await requests.add([cancelJob(objectId)]);
  const until = now() + waitMs;
  return whenBooked(
    () => pushes.read(objectId),
    () => now() < until,
  );
}

/** For a second an answer waits for the books; calls that a vendor has in hand may take longer, and stay outstanding in it. */
const WAIT_MS = 1000;
const LOOK_EVERY_MS = 50;

async function whenBooked(
  read: () => Promise<PushRecord | undefined>,
  mayWait: () => boolean,
): Promise<PushRecord | undefined> {
  for (;;) {
    const record = await read();
    if (record?.status !== 'in-queue' || !mayWait()) return record;
    await delay(LOOK_EVERY_MS);
  }
}

function countsOf({ channels, status }: PushRecord): Cancelled {
  const books = Object.values(channels);
  const total = (count: (column: ChannelBooks) => number): number =>
    books.reduce((all, column) => all + count(column), 0);
  const decided = ({ accepted, discarded, failed }: ChannelBooks): number => accepted + sum(discarded) + sum(failed);
  return {
    cancelled: total(({ discarded }) => discarded['cancelled'] ?? 0),
    sent: total(({ accepted }) => accepted),
    outstanding: status === 'done' ? 0 : total((column) => Math.max(0, column.expected - decided(column))),
  };
}
