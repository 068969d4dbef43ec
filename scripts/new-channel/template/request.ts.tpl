import {
  discarded,
  given,
  layOver,
  replaceKey,
  reservedNotes,
  tapIntent,
  type BuiltRequest,
  type PushBatch,
} from '@pushfleet/channel-kit';
import { isJsonObject, type Discarded, type JsonObject, writeJson } from '@pushfleet/domain';
import { type __Name__Profile } from './profile';

/** Title and date of the vendor's document that says these: devices in one call, and the longest life. */
export const MAX_BATCH = 500;
const MAX_TTL_SECONDS = 7 * 86_400;

export function buildRequest(batch: PushBatch, profile: __Name__Profile): BuiltRequest | Discarded {
  const { message, pushId, batchId, registrationIds, ttlMs } = batch;
  const shown = message.silent ? silent(batch) : layOver(notification(batch, profile), message.section);
  if (!message.silent && lacksText(shown)) return discarded('message-rejected', 'no text to show');
  const body = writeJson({
    ...shown,
    // Set last: whom it reaches and what receipts are told apart by is not the sender's to choose.
    ...{ requestId: batchId, tag: pushId, ttl: ttlSeconds(ttlMs), tokens: registrationIds },
  });
  return { kind: 'request', body, notes: message.silent ? [] : reservedNotes(message) };
}

const silent = ({ message }: PushBatch): JsonObject => ({ data: { ...message.data, silent: true } });

const notification = ({ message, app, pushId }: PushBatch, { category }: __Name__Profile): JsonObject => ({
  data: message.attributes,
  notification: {
    title: message.title || app.name,
    body: message.alert,
    intent: tapIntent(app.intentHost, message.attributes),
    replaceId: replaceKey(pushId),
    ...given('category', category),
  },
});

const ttlSeconds = (ttlMs: number): number => Math.min(Math.max(1, Math.floor(ttlMs / 1000)), MAX_TTL_SECONDS);

function lacksText({ notification: shown }: JsonObject): boolean {
  const text = isJsonObject(shown) ? shown['body'] : undefined;
  return typeof text !== 'string' || text.trim() === '';
}
