import { replaceKey, tapIntent, type PushBatch } from '@pushfleet/channel-kit';
import { isJsonObject, type ChannelMessage, type Discarded, type Json, type JsonObject } from '@pushfleet/domain';
import { type HonorProfile } from './profile';
import { merge } from './section';

/** The vendor documents neither limit; these are the ones of the protocol that it descends from. */
export const MAX_BATCH = 1000;
export const MAX_PAYLOAD_BYTES = 4096;
/** Honor "Push Kit: downlink message", 2024-10-11: `android.ttl`. */
const MAX_TTL_SECONDS = 15 * 86_400;

export interface HonorRequest {
  readonly kind: 'request';
  readonly body: string;
}

export function buildRequest(batch: PushBatch, profile: HonorProfile): HonorRequest | Discarded {
  const body = bodyOf(batch, profile);
  if (Buffer.byteLength(JSON.stringify(body)) > MAX_PAYLOAD_BYTES) {
    return { kind: 'discarded', reason: 'payload-too-large', vendorMessage: `over ${MAX_PAYLOAD_BYTES} bytes` };
  }
  return { kind: 'request', body: JSON.stringify({ ...body, token: batch.registrationIds }) };
}

function bodyOf(batch: PushBatch, profile: HonorProfile): JsonObject {
  const { message, pushId } = batch;
  const generated = message.silent ? silent(message) : notification(batch, profile);
  const merged = merge(merge(envelope(batch), generated), message.section);
  // Set last: what receipts are told apart by is not the sender's to choose.
  const { token: _token, ...labelled } = merge(merged, { android: { biTag: pushId } });
  return textData(message.silent ? withoutNotification(labelled) : labelled);
}

function envelope({ ttlMs }: PushBatch): JsonObject {
  const seconds = Math.min(Math.max(1, Math.floor(ttlMs / 1000)), MAX_TTL_SECONDS);
  return { android: { ttl: `${seconds}s` } };
}

function silent({ data }: ChannelMessage): JsonObject {
  return { data: JSON.stringify({ ...data, silent: true }) };
}

/** Title and body stand where a sender's `notification` and `android.notification` both override them. */
function notification({ message, app, pushId }: PushBatch, profile: HonorProfile): JsonObject {
  return {
    data: JSON.stringify(message.attributes),
    notification: { title: message.title || app.name, body: message.alert },
    android: {
      notification: {
        clickAction: { type: 1, intent: tapIntent(profile.intentHost ?? app.intentHost, message.attributes) },
        notifyId: replaceKey(pushId),
        ...given('importance', profile.importance),
        ...given('badge', badgeOf(message, profile)),
      },
    },
  };
}

function badgeOf({ badge }: ChannelMessage, { badgeClass }: HonorProfile): JsonObject | undefined {
  if (badge === undefined) return undefined;
  return { ...(badge === 'Increment' ? { addNum: 1 } : { setNum: badge }), ...given('badgeClass', badgeClass) };
}

/** The vendor takes a message for a pass-through one only when no notification stands in it. */
function withoutNotification({ notification: _shown, ...body }: JsonObject): JsonObject {
  const android = body['android'];
  if (!isJsonObject(android)) return body;
  const { notification: _displayed, ...rest } = android;
  return { ...body, android: rest };
}

/** The vendor wants `data` as text; a sender may give it as the object that it stands for. */
function textData(body: JsonObject): JsonObject {
  const { data } = body;
  return data === undefined || typeof data === 'string' ? body : { ...body, data: JSON.stringify(data) };
}

const given = (key: string, value: Json | undefined): JsonObject => (value === undefined ? {} : { [key]: value });
