import { hasConditions } from './audience';
import { LAST_DATE_MS } from './iso-date';
import type { JsonObject } from './json';
import { sum, type ChannelBooks, type PushRecord } from './push-record';
import { OWN_CHANNEL } from './route';

/** What the wire calls the counts of one channel. */
export interface CountedChannel {
  readonly name: string;
  readonly successesField: string;
}

/** Counts of the 1.1 API for platforms that have no channel here: whoever adds them up needs a number. */
const NOT_SERVED = { invalidTokens: 0, iosSuccesses: 0, fcmSuccesses: 0 } as const;

/** A push record with the field names of the 1.1 API, and the books beside them. */
export function pushView(record: PushRecord, vendors: Iterable<CountedChannel>): JsonObject {
  const books = Object.entries(record.channels);
  const succeeded: Readonly<Record<string, number>> = Object.fromEntries(
    books.map(([name, column]) => [name, successesOf(name, column)]),
  );
  return {
    objectId: record.objectId,
    notificationId: record.notificationId,
    'from-service': record.service ?? 'push',
    status: record.status,
    ...cancellationOf(record),
    prod: record.prod,
    msg: record.msg,
    where: record.where,
    'push-time': iso(record.pushTime),
    expiresAt: iso(record.expiresAt),
    ...(record.estimatedDoneAt === undefined ? {} : { estimatedDoneAt: iso(record.estimatedDoneAt) }),
    ...(record.waiting
      ? { waiting: record.waiting.map(({ until, ...wait }): JsonObject => ({ ...wait, until: iso(until) })) }
      : {}),
    createdAt: iso(record.createdAt),
    updatedAt: iso(record.updatedAt),
    devices: books.reduce((total, [, { matched }]) => total + matched, 0),
    successes: sum(succeeded),
    ...NOT_SERVED,
    lcSuccesses: succeeded[OWN_CHANNEL] ?? 0,
    ...Object.fromEntries([...vendors].map(({ name, successesField }) => [successesField, succeeded[name] ?? 0])),
    channels: record.channels as unknown as JsonObject,
    errors: record.errors as unknown as readonly JsonObject[],
    ...(record.warnings ? { warnings: record.warnings as unknown as readonly JsonObject[] } : {}),
  };
}

/** Devices that have no verdict yet are told as not sent when theirs is in the books. */
function cancellationOf({ isCancelled, cancelledAt, channels }: PushRecord): JsonObject {
  if (isCancelled !== true) return {};
  const notSent = Object.values(channels).reduce((total, { discarded }) => total + (discarded['cancelled'] ?? 0), 0);
  return { cancelled: true, ...(cancelledAt === undefined ? {} : { cancelledAt: iso(cancelledAt) }), notSent };
}

/**
 * The same for whoever has the app key, which is anybody with the app: neither content nor audience nor devices, and no
 * counts of a condition, because they tell of the devices that it asks about.
 */
export function clientPushView(record: PushRecord, vendors: Iterable<CountedChannel>): JsonObject {
  const { objectId, status, where, isToDevices, errors } = record;
  if (isToDevices !== true && hasConditions(where)) return { objectId, status };
  const { msg: _msg, where: _where, warnings: _warnings, waiting: _waiting, ...view } = pushView(record, vendors);
  return {
    ...view,
    errors: errors.map(({ samples: _samples, ...error }) => error) as unknown as readonly JsonObject[],
  };
}

/** LeanCloud push guide: a vendor's success is a message it accepted, the own channel's one that a device confirmed. */
const successesOf = (channel: string, { accepted, delivered }: ChannelBooks): number =>
  channel === OWN_CHANNEL ? delivered : accepted;

/** A push that was scheduled for the end of time may be said to last beyond it. */
const iso = (at: number): string => new Date(Math.min(at, LAST_DATE_MS)).toISOString();
