import {
  discarded,
  fit,
  given,
  layOver,
  replaceKey,
  reservedNotes,
  shownAs,
  tapIntent,
  type BuiltRequest,
  type PushBatch,
} from '@pushfleet/channel-kit';
import { isJsonObject, type Discarded, type JsonObject, writeJson } from '@pushfleet/domain';
import { type __Name__Profile } from './profile';

/** Title and date of the vendor's document that says these: devices in one call, the longest life. */
export const MAX_BATCH = 500;
const MAX_TTL_SECONDS = 7 * 86_400;
/** In code points. */
const MAX_TITLE = 100;

export function buildRequest(batch: PushBatch, profile: __Name__Profile): BuiltRequest | Discarded {
  const { message, pushId, batchId, registrationIds, ttlMs } = batch;
  const whole = message.silent ? silent(batch) : layOver(notification(batch, profile), message.section);
  if (!message.silent && lacksText(whole)) return discarded('message-rejected', 'no text to show');
  const { shown, truncated } = fitTitle(whole);
  if (truncated && batch.app.overlong === 'reject') return discarded('message-rejected', 'title too long');
  const body = writeJson({
    ...shown,
    // Set last: whom it reaches and what receipts are told apart by is not the sender's to choose.
    requestId: batchId,
    tag: pushId,
    ttl: ttlSeconds(ttlMs),
    tokens: registrationIds,
  });
  return { kind: 'request', body, truncated, notes: message.silent ? [] : reservedNotes(message), ...textsOf(shown) };
}

/** What a pre-flight tells of a message: the texts as the vendor gets them. */
const textsOf = ({ notification: notice }: JsonObject) =>
  isJsonObject(notice) ? shownAs(notice['title'], notice['body']) : {};

const silent = ({ message }: PushBatch): JsonObject => ({ data: { ...message.data, silent: true } });

const notification = (batch: PushBatch, { category }: __Name__Profile): JsonObject => ({
  data: batch.message.attributes,
  notification: {
    title: batch.message.title || batch.app.name,
    body: batch.message.alert,
    intent: tapIntent(batch.app.intentHost, batch.message.attributes),
    replaceId: replaceKey(batch),
    ...given('category', category),
  },
});

const ttlSeconds = (ttlMs: number): number => Math.min(Math.max(1, Math.floor(ttlMs / 1000)), MAX_TTL_SECONDS);

function lacksText({ notification: shown }: JsonObject): boolean {
  const text = isJsonObject(shown) ? shown['body'] : undefined;
  return typeof text !== 'string' || text.trim() === '';
}

/** Cuts what the vendor would refuse, whether the push or its section says it. */
function fitTitle(shown: JsonObject): { readonly shown: JsonObject; readonly truncated: boolean } {
  const { notification: notice } = shown;
  if (!isJsonObject(notice) || typeof notice['title'] !== 'string') return { shown, truncated: false };
  const { text, truncated } = fit(notice['title'], MAX_TITLE);
  return { shown: { ...shown, notification: { ...notice, title: text } }, truncated };
}
