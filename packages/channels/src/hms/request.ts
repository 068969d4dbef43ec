import { replaceKey, tapIntent, type PushBatch } from '@pushfleet/channel-kit';
import { isJsonObject, type ChannelMessage, type Discarded, type Json, type JsonObject } from '@pushfleet/domain';
import { type HmsProfile } from './profile';
import { merge } from './section';

/** Huawei "Push Kit REST API: sending messages, v1/v2", copy dated 2025-08: tokens per call, bytes without tokens, life. */
export const MAX_BATCH = 1000;
export const MAX_PAYLOAD_BYTES = 4096;
const MAX_TTL_SECONDS = 15 * 86_400;

export interface HmsRequest {
  readonly kind: 'request';
  readonly body: string;
}

export function buildRequest(batch: PushBatch, profile: HmsProfile): HmsRequest | Discarded {
  const message = messageOf(batch, profile);
  const payload = JSON.stringify({ validate_only: false, message });
  if (Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES) {
    return { kind: 'discarded', reason: 'payload-too-large', vendorMessage: `over ${MAX_PAYLOAD_BYTES} bytes` };
  }
  const body = JSON.stringify({ validate_only: false, message: { ...message, token: batch.registrationIds } });
  return { kind: 'request', body };
}

function messageOf(batch: PushBatch, profile: HmsProfile): JsonObject {
  const { message } = batch;
  const own = message.section['message'];
  const generated = message.silent ? silent(message) : notification(batch, profile);
  const merged = merge(merge(envelope(batch, profile), generated), isJsonObject(own) ? own : {});
  const { token: _token, ...addressed } = merge(merged, label(batch, profile));
  return textData(message.silent ? withoutNotification(addressed) : addressed);
}

function envelope({ ttlMs }: PushBatch, { category }: HmsProfile): JsonObject {
  const seconds = Math.min(Math.max(1, Math.floor(ttlMs / 1000)), MAX_TTL_SECONDS);
  return { android: { ttl: `${seconds}s`, ...given('category', category) } };
}

/** Set last: what receipts are told apart by is not the sender's to choose. */
const label = ({ pushId }: PushBatch, { receiptId }: HmsProfile): JsonObject => ({
  android: { bi_tag: pushId, ...given('receipt_id', receiptId) },
});

function silent({ data }: ChannelMessage): JsonObject {
  return { data: JSON.stringify({ ...data, silent: true }) };
}

/** Title and body stand where a sender's `message.notification` and `message.android.notification` both override them. */
function notification({ message, app, pushId }: PushBatch, profile: HmsProfile): JsonObject {
  return {
    data: JSON.stringify(message.attributes),
    notification: { title: message.title || app.name, body: message.alert },
    android: {
      notification: {
        click_action: { type: 1, intent: tapIntent(profile.intentHost ?? app.intentHost, message.attributes) },
        notify_id: replaceKey(pushId),
        ...given('channel_id', message.notificationChannel),
        ...given('badge', badgeOf(message, profile)),
      },
    },
  };
}

function badgeOf({ badge }: ChannelMessage, { badgeClass }: HmsProfile): JsonObject | undefined {
  if (badge === undefined) return undefined;
  return { ...(badge === 'Increment' ? { add_num: 1 } : { set_num: badge }), ...given('class', badgeClass) };
}

/** The vendor takes a message for a pass-through one only when no notification stands in it. */
function withoutNotification({ notification: _shown, ...message }: JsonObject): JsonObject {
  const android = message['android'];
  if (!isJsonObject(android)) return message;
  const { notification: _displayed, ...rest } = android;
  return { ...message, android: rest };
}

/** The vendor wants `data` as text; a sender may give it as the object that it stands for. */
function textData(message: JsonObject): JsonObject {
  const { data } = message;
  return data === undefined || typeof data === 'string' ? message : { ...message, data: JSON.stringify(data) };
}

const given = (key: string, value: Json | undefined): JsonObject => (value === undefined ? {} : { [key]: value });
