import {
  MAX_SAMPLES,
  type ChannelBooks,
  type PushRecord,
  type PushStatus,
  type RecordedError,
  type RecordedWarning,
} from './push-record';

/** The lowest rank speaks for all. */
const STATUS_RANK: Readonly<Record<PushStatus, number>> = { error: 0, 'in-queue': 1, scheduled: 2, done: 3 };

/** One account of pushes that share a notification id, told in the name of the oldest; undefined for none. */
export function mergeRecords(records: readonly PushRecord[]): PushRecord | undefined {
  const [oldest, ...newer] = [...records].sort((a, b) => a.createdAt - b.createdAt);
  return oldest && newer.reduce(merge, oldest);
}

function merge(a: PushRecord, b: PushRecord): PushRecord {
  return {
    ...a,
    status: STATUS_RANK[a.status] <= STATUS_RANK[b.status] ? a.status : b.status,
    updatedAt: Math.max(a.updatedAt, b.updatedAt),
    expiresAt: Math.max(a.expiresAt, b.expiresAt),
    ...latestEstimate(a, b),
    channels: mergeBy(a.channels, b.channels, addBooks),
    errors: mergeErrors(a.errors, b.errors),
    ...mergeWarnings(a, b),
    ...mergeWaiting(a, b),
  };
}

function latestEstimate(a: PushRecord, b: PushRecord): Pick<PushRecord, 'estimatedDoneAt'> {
  const estimates = [a, b].flatMap(({ estimatedDoneAt }) => estimatedDoneAt ?? []);
  return estimates.length === 0 ? {} : { estimatedDoneAt: Math.max(...estimates) };
}

type Counts = Readonly<Record<string, number>>;

const addBooks = (a: ChannelBooks, b: ChannelBooks): ChannelBooks => ({
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
});

const addCounts = (a: Counts, b: Counts): Counts => mergeBy(a, b, (x, y) => x + y);

function mergeErrors(a: readonly RecordedError[], b: readonly RecordedError[]): readonly RecordedError[] {
  const merged = mergeBy(byCause(a), byCause(b), (x, y) => ({
    ...x,
    count: x.count + y.count,
    samples: [...new Set([...x.samples, ...y.samples])].slice(0, MAX_SAMPLES),
  }));
  return Object.values(merged);
}

const byCause = (errors: readonly RecordedError[]): Readonly<Record<string, RecordedError>> =>
  Object.fromEntries(errors.map((error) => [`${error.channel}|${error.reason}|${error.vendorCode ?? ''}`, error]));

function mergeWarnings(a: PushRecord, b: PushRecord): Pick<PushRecord, 'warnings'> {
  if (!a.warnings || !b.warnings) return a.warnings || b.warnings ? { warnings: a.warnings ?? b.warnings ?? [] } : {};
  const merged = mergeBy(byText(a.warnings), byText(b.warnings), (x, y) => ({ ...x, count: x.count + y.count }));
  return { warnings: Object.values(merged) };
}

const mergeWaiting = (a: PushRecord, b: PushRecord): Pick<PushRecord, 'waiting'> =>
  a.waiting || b.waiting ? { waiting: [...(a.waiting ?? []), ...(b.waiting ?? [])] } : {};

const byText = (warnings: readonly RecordedWarning[]): Readonly<Record<string, RecordedWarning>> =>
  Object.fromEntries(warnings.map((warning) => [`${warning.channel}|${warning.message}`, warning]));

function mergeBy<T>(
  a: Readonly<Record<string, T>>,
  b: Readonly<Record<string, T>>,
  join: (x: T, y: T) => T,
): Readonly<Record<string, T>> {
  const merged = new Map(Object.entries(a));
  for (const [name, value] of Object.entries(b)) {
    const known = merged.get(name);
    merged.set(name, known === undefined ? value : join(known, value));
  }
  return Object.fromEntries(merged);
}
