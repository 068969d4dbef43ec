import type { VendorChannel } from '@pushfleet/channel-kit';
import { OWN_CHANNEL, sum, type ChannelBooks, type JsonObject, type PushRecord } from '@pushfleet/domain';

/** A push record with the field names of the 1.1 API, and the books beside them. */
export function pushView(record: PushRecord, channels: ReadonlyMap<string, VendorChannel>): JsonObject {
  const books = new Map(Object.entries(record.channels));
  const succeeded = Object.fromEntries([...books].map(([name, column]) => [name, successesOf(name, column)]));
  const vendors = [...channels.values()].map(({ name, successesField }) => [successesField, succeeded[name] ?? 0]);
  return {
    objectId: record.objectId,
    notificationId: record.notificationId,
    status: record.status,
    prod: record.prod,
    msg: record.msg,
    where: record.where,
    devices: [...books.values()].reduce((total, { matched }) => total + matched, 0),
    successes: sum(succeeded),
    invalidTokens: 0,
    ...Object.fromEntries(vendors),
    lcSuccesses: succeeded[OWN_CHANNEL] ?? 0,
    'from-service': 'push',
    'push-time': iso(record.pushTime),
    expiresAt: iso(record.expiresAt),
    createdAt: iso(record.createdAt),
    updatedAt: iso(record.updatedAt),
    channels: record.channels as unknown as JsonObject,
    errors: record.errors as unknown as readonly JsonObject[],
  };
}

/** A vendor's acceptance is all that can be known of it; on the own road arrival is known. */
const successesOf = (channel: string, { accepted, delivered }: ChannelBooks): number =>
  channel === OWN_CHANNEL ? delivered : accepted;

const iso = (ms: number): string => new Date(ms).toISOString();
