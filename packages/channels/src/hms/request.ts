import {
  attemptsOf,
  messageNotes,
  noticeOf,
  replaceKey,
  secondsText,
  silentMessage,
  tapIntent,
  withoutNotification,
  withTextData,
  type BuiltRequest,
  type PushBatch,
} from '@pushfleet/channel-kit';
import {
  type ChannelMessage,
  type Discarded,
  isJsonObject,
  type Json,
  type JsonObject,
  writeJson,
} from '@pushfleet/domain';
import { complete, lacksText } from './notice';
import { type HmsProfile } from './profile';
import { merge } from './section';
import { warningsFor } from './warnings';

/** Huawei "Push Kit REST API: sending messages, v1/v2", copy dated 2025-08: tokens per call, bytes without tokens, life. */
export const MAX_BATCH = 1000;
export const MAX_PAYLOAD_BYTES = 4096;
const MAX_TTL_SECONDS = 15 * 86_400;

export function buildRequest(batch: PushBatch, profile: HmsProfile): BuiltRequest | Discarded {
  const notes = messageNotes(batch.message, warningsFor(batch.message, profile));
  for (const attempt of attemptsOf(batch.message, {
    maxBytes: MAX_PAYLOAD_BYTES,
    hasOwnTap: hasOwnTap(batch.message),
  })) {
    const message = messageOf({ ...batch, message: attempt.message }, profile, attempt.isOnce);
    if (lacksText(message)) return { kind: 'discarded', reason: 'message-rejected', vendorMessage: 'no text to show' };
    if (Buffer.byteLength(writeJson({ validate_only: false, message })) > MAX_PAYLOAD_BYTES) continue;
    const body = writeJson({ validate_only: false, message: { ...message, token: batch.registrationIds } });
    return { kind: 'request', body, notes: [...notes, ...attempt.notes] };
  }
  return { kind: 'discarded', reason: 'payload-too-large', vendorMessage: `over ${MAX_PAYLOAD_BYTES} bytes` };
}

function hasOwnTap({ section }: ChannelMessage): boolean {
  const own = section['message'];
  return isJsonObject(own) && noticeOf(own)['click_action'] !== undefined;
}

function messageOf(batch: PushBatch, profile: HmsProfile, isOnce: boolean): JsonObject {
  const { message } = batch;
  const own = message.section['message'];
  const generated = message.silent ? silentMessage(message) : notification(batch, profile);
  const { data: _copy, ...once } = generated;
  const merged = merge(merge(envelope(batch, profile), isOnce ? once : generated), isJsonObject(own) ? own : {});
  const { token: _token, ...addressed } = merge(merged, label(batch, profile));
  return withTextData(message.silent ? withoutNotification(addressed) : complete(addressed, message, profile));
}

function envelope({ ttlMs }: PushBatch, { category }: HmsProfile): JsonObject {
  return { android: { ttl: secondsText(ttlMs, MAX_TTL_SECONDS), ...given('category', category) } };
}

/** Set last: what receipts are told apart by is not the sender's to choose. */
const label = ({ pushId }: PushBatch, { receiptId }: HmsProfile): JsonObject => ({
  android: { bi_tag: pushId, ...given('receipt_id', receiptId) },
});

/** Title and body stand where a sender's `message.notification` and `message.android.notification` both override them. */
function notification({ message, app, pushId }: PushBatch, profile: HmsProfile): JsonObject {
  return {
    data: writeJson(message.attributes),
    notification: { title: message.title || app.name, body: message.alert },
    android: {
      notification: {
        click_action: { type: 1, intent: tapIntent(profile.intentHost ?? app.intentHost, message.attributes) },
        notify_id: replaceKey(pushId),
        ...given('channel_id', message.notificationChannel),
      },
    },
  };
}

const given = (key: string, value: Json | undefined): JsonObject => (value === undefined ? {} : { [key]: value });
