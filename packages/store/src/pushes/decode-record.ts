import {
  adviceFor,
  type ChannelBooks,
  COUNTED_RECEIPTS,
  isFailureReason,
  isJsonObject,
  jsonIn,
  type JsonObject,
  OWN_CHANNEL,
  type PushContent,
  type PushRecord,
  type PushStatus,
  type Reason,
  type RecordedError,
  type RecordedWarning,
  vendorWords,
} from '@pushfleet/domain';
import { decodeText, emptyText, type PushText } from './push-text';
import { readCounterField, readErrorField, RECORD, type ReadCounter } from './record-fields';

export interface DeviceVerdict {
  readonly channel: string;
  readonly outcome: 'discarded' | 'failed';
  readonly reason: Reason;
  readonly vendorCode?: string;
  readonly vendorMessage?: string;
}

type Fields = Readonly<Record<string, string>>;

export function decodeRecord(pushId: string, fields: Fields): PushRecord {
  const {
    text: { content, prod, notificationId = pushId, ...text },
    where,
    isDamaged,
  } = tellingOf(fields);
  return {
    objectId: pushId,
    app: fields[RECORD.app] ?? '',
    notificationId,
    prod,
    status: (fields[RECORD.status] ?? 'in-queue') as PushStatus,
    ...cancellationIn(fields),
    ...(text.service === undefined ? {} : { service: text.service }),
    msg: messageOf(content),
    where,
    ...namingIn(fields, text.isToDevices),
    createdAt: text.createdAt,
    pushTime: text.pushTime,
    expiresAt: text.expiresAt,
    ...(text.number === undefined ? {} : { number: text.number }),
    updatedAt: updatedAtIn(fields),
    channels: decodeBooks(fields),
    errors: decodeErrors(fields),
    ...(fields[RECORD.verdictsCut] === undefined ? {} : { hasCutVerdicts: true }),
    ...decodeWarnings(fields, isDamaged),
  };
}

/** A number that is damaged counts as none. */
const countIn = (text: string | undefined): number => Number(text) || 0;

const updatedAtIn = ({ [RECORD.updatedAt]: at }: Fields): number => countIn(at);

/** What a push says and whom it is for. Where that is damaged, the books are told all the same, and so are the other pushes. */
function tellingOf(fields: Fields): {
  readonly text: PushText;
  readonly where: JsonObject;
  readonly isDamaged: boolean;
} {
  const text = textIn(fields[RECORD.push] ?? NOTHING);
  const where = jsonIn(fields[RECORD.where] ?? NOTHING);
  return {
    text: text ?? emptyText(updatedAtIn(fields)),
    where: isJsonObject(where) ? where : {},
    isDamaged: text === undefined || !isJsonObject(where),
  };
}

function textIn(text: string): PushText | undefined {
  try {
    return decodeText(text);
  } catch {
    return undefined;
  }
}

const NOTHING = '{}';

/** Only the audience of a push to everybody is empty, and it is kept; the scripts that empty `where` drop or replace it. */
const isEmptied = ({ [RECORD.where]: where, [RECORD.audience]: audience }: Fields): boolean =>
  (where ?? NOTHING) === NOTHING && audience !== NOTHING;

function namingIn(fields: Fields, isToDevices: true | undefined): Pick<PushRecord, 'isToDevices' | 'isNamed'> {
  if (isToDevices === true) return { isToDevices, isNamed: true };
  return isEmptied(fields) ? { isNamed: true } : {};
}

const cancellationIn = ({ [RECORD.cancelled]: at }: Fields): Pick<PushRecord, 'isCancelled' | 'cancelledAt'> =>
  at === undefined ? {} : { isCancelled: true, cancelledAt: Number(at) };

/** Messages of the own channel that no device confirmed while the push lived have lapsed. */
export function lapse(record: PushRecord, now: number): PushRecord {
  const own = record.channels[OWN_CHANNEL];
  if (!own || record.expiresAt > now) return record;
  const lapsed = Math.max(own.lapsed, own.accepted - own.delivered);
  return { ...record, channels: { ...record.channels, [OWN_CHANNEL]: { ...own, lapsed } } };
}

const messageOf = ({ data, sections }: PushContent): JsonObject => ({ ...data, ...sections });

const NO_BOOKS: ChannelBooks = {
  expected: 0,
  matched: 0,
  accepted: 0,
  delivered: 0,
  lapsed: 0,
  clicked: 0,
  truncated: 0,
  discarded: {},
  failed: {},
  outstanding: 0,
};

/** By the names of the channels in order: Redis tells fields in any. */
function decodeBooks(fields: Fields): Readonly<Record<string, ChannelBooks>> {
  const channels = new Map<string, ChannelBooks>();
  for (const [name, count] of Object.entries(fields)) {
    const counter = readCounterField(name);
    if (!counter || counter.kind === 'note') continue;
    const { channel } = counter;
    channels.set(channel, withCounter(channels.get(channel) ?? NO_BOOKS, counter, countIn(count)));
  }
  const names = [...channels.keys()].sort();
  return Object.fromEntries(names.map((name) => [name, withinReach(channels.get(name) ?? NO_BOOKS)]));
}

/**
 * A receipt may arrive before the books tell of its message, and is counted. A record shows no more receipts than devices that
 * the vendor may have taken: invented receipts raise a number that is not shown.
 */
function withinReach(books: ChannelBooks): ChannelBooks {
  const reach = books.accepted + (books.failed['unknown-outcome'] ?? 0);
  const within = Object.fromEntries(COUNTED_RECEIPTS.map((kind) => [kind, Math.min(books[kind], reach)]));
  return { ...books, ...within };
}

function withCounter(books: ChannelBooks, { kind, value }: ReadCounter, count: number): ChannelBooks {
  if (kind === 'discarded') return { ...books, discarded: { ...books.discarded, [value]: count } };
  if (kind === 'failed') return { ...books, failed: { ...books.failed, [value]: count } };
  return { ...books, [value]: count };
}

const DAMAGED: RecordedWarning = {
  channel: '',
  message: 'the record in Redis is damaged: what the push said, or whom it was for, cannot be read',
  count: 1,
};

function decodeWarnings(fields: Fields, isDamaged: boolean): Pick<PushRecord, 'warnings'> {
  const warnings: RecordedWarning[] = isDamaged ? [DAMAGED] : [];
  for (const [name, count] of Object.entries(fields)) {
    const counter = readCounterField(name);
    if (counter?.kind !== 'note') continue;
    warnings.push({ channel: counter.channel, message: counter.value, count: countIn(count) });
  }
  return warnings.length > 0 ? { warnings } : {};
}

export function decodeErrors(fields: Fields): readonly RecordedError[] {
  return Object.entries(fields).flatMap(([name, count]) => {
    const error = readErrorField(name);
    if (!error) return [];
    const { channel, reason, vendorCode, message, samples } = error;
    const vendorMessage = fields[message];
    return {
      channel,
      reason,
      count: countIn(count),
      ...(vendorCode === '' ? {} : { vendorCode }),
      ...(vendorMessage === undefined ? {} : { vendorMessage }),
      action: adviceFor(reason as Reason),
      samples: (fields[samples] ?? '').split(' ').filter((id) => id !== ''),
    };
  });
}

/** Devices that a rule refused, and the verdicts of a closed push that has few, stand in the samples of the errors only. */
export function sampledVerdict(errors: readonly RecordedError[], objectId: string): DeviceVerdict | undefined {
  const found = errors.find(({ samples }) => samples.includes(objectId));
  if (!found) return undefined;
  const { channel } = found;
  const reason = found.reason as Reason;
  return {
    channel,
    outcome: isFailureReason(reason) ? 'failed' : 'discarded',
    reason,
    ...vendorWords(found),
  };
}
