import {
  OWN_CHANNEL,
  sum,
  type ChannelBooks,
  type PushRecord,
  type PushStatus,
  type RecordedError,
} from '@pushfleet/domain';

/** What the wire calls the counts of one channel. */
export interface CountedChannel {
  readonly name: string;
  readonly successesField: string;
}

type Books = Readonly<Record<string, ChannelBooks>>;

const MAX_SAMPLES = 20;
/** The status of a sum is the first of these that any of its pushes has. */
const LEADING_STATUS: readonly PushStatus[] = ['error', 'in-queue', 'scheduled', 'done'];

/** Shows push records as the 1.1 API does: one object for all pushes that share a notification id, `{}` for none. */
export function openNotificationView(
  channels: Readonly<Record<string, CountedChannel>>,
): (records: readonly PushRecord[]) => object {
  return (records) => {
    const [first, ...others] = [...records].sort((a, b) => a.createdAt - b.createdAt);
    return first === undefined ? {} : notificationOf(channels, [first, ...others]);
  };
}

function notificationOf(
  counted: Readonly<Record<string, CountedChannel>>,
  records: readonly [PushRecord, ...PushRecord[]],
): object {
  const [first] = records;
  const channels = records.map((record) => record.channels).reduce(addBooks);
  return {
    ...{ objectId: first.objectId, notificationId: first.notificationId, 'from-service': 'push', prod: first.prod },
    status: LEADING_STATUS.find((status) => records.some((record) => record.status === status)),
    ...{ msg: first.msg, where: first.where },
    'push-time': iso(first.pushTime),
    createdAt: iso(first.createdAt),
    updatedAt: iso(Math.max(...records.map(({ updatedAt }) => updatedAt))),
    ...countsOf(channels, Object.values(counted)),
    channels,
    errors: mergeErrors(records.flatMap(({ errors }) => errors)),
  };
}

/** LeanCloud push guide: a vendor's success is a message it accepted, the own channel's one that a device confirmed. */
function countsOf(channels: Books, counted: readonly CountedChannel[]): Readonly<Record<string, number>> {
  const lcSuccesses = channels[OWN_CHANNEL]?.delivered ?? 0;
  const vendorSuccesses = counted
    .filter(({ name }) => name !== OWN_CHANNEL)
    .map(({ name, successesField }) => [successesField, channels[name]?.accepted ?? 0] as const);
  const devices = Object.values(channels).reduce((total, { matched }) => total + matched, 0);
  const successes = sum(Object.fromEntries(vendorSuccesses)) + lcSuccesses;
  return { devices, successes, invalidTokens: 0, lcSuccesses, ...Object.fromEntries(vendorSuccesses) };
}

function addBooks(a: Books, b: Books): Books {
  const merged = new Map(Object.entries(a));
  for (const [channel, books] of Object.entries(b)) {
    const known = merged.get(channel);
    merged.set(channel, known ? addColumns(known, books) : books);
  }
  return Object.fromEntries(merged);
}

function addColumns(a: ChannelBooks, b: ChannelBooks): ChannelBooks {
  return {
    expected: a.expected + b.expected,
    matched: a.matched + b.matched,
    accepted: a.accepted + b.accepted,
    delivered: a.delivered + b.delivered,
    lapsed: a.lapsed + b.lapsed,
    clicked: a.clicked + b.clicked,
    truncated: a.truncated + b.truncated,
    discarded: addCounts(a.discarded, b.discarded),
    failed: addCounts(a.failed, b.failed),
    outstanding: a.outstanding + b.outstanding,
  };
}

type Counts = Readonly<Record<string, number>>;

function addCounts(a: Counts, b: Counts): Counts {
  const added = Object.entries(b).map(([reason, count]) => [reason, (a[reason] ?? 0) + count] as const);
  return { ...a, ...Object.fromEntries(added) };
}

function mergeErrors(errors: readonly RecordedError[]): readonly RecordedError[] {
  const merged = new Map<string, RecordedError>();
  for (const error of errors) {
    const key = JSON.stringify([error.channel, error.reason, error.vendorCode]);
    const known = merged.get(key);
    merged.set(key, known ? addError(known, error) : error);
  }
  return [...merged.values()];
}

function addError(known: RecordedError, { count, samples }: RecordedError): RecordedError {
  const all = new Set([...known.samples, ...samples]);
  return { ...known, count: known.count + count, samples: [...all].slice(0, MAX_SAMPLES) };
}

const iso = (at: number): string => new Date(at).toISOString();
