import {
  NO_CHANNEL_NOTE,
  replaceKey,
  reservedNotes,
  tapIntent,
  withoutChannelName,
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
import { complete, lacksText, noticeOf } from './notice';
import { type HmsProfile } from './profile';
import { merge } from './section';
import { warningsFor } from './warnings';

/** Huawei "Push Kit REST API: sending messages, v1/v2", copy dated 2025-08: tokens per call, bytes without tokens, life. */
export const MAX_BATCH = 1000;
export const MAX_PAYLOAD_BYTES = 4096;
const MAX_TTL_SECONDS = 15 * 86_400;

export interface HmsRequest {
  readonly kind: 'request';
  readonly body: string;
  /** What the record tells about this message. */
  readonly notes: readonly string[];
}

const ONCE_NOTE = `attributes: in the intent of the tap alone, twice is over ${MAX_PAYLOAD_BYTES} bytes`;

/** What may go for want of room, in this order: the second copy of the attributes, then the name of the channel. */
interface Attempt {
  readonly message: ChannelMessage;
  readonly isOnce: boolean;
  readonly notes: readonly string[];
}

export function buildRequest(batch: PushBatch, profile: HmsProfile): HmsRequest | Discarded {
  const notes = notesOf(batch.message, profile);
  for (const attempt of attemptsOf(batch.message)) {
    const message = messageOf({ ...batch, message: attempt.message }, profile, attempt.isOnce);
    if (lacksText(message)) return { kind: 'discarded', reason: 'message-rejected', vendorMessage: 'no text to show' };
    if (Buffer.byteLength(writeJson({ validate_only: false, message })) > MAX_PAYLOAD_BYTES) continue;
    const body = writeJson({ validate_only: false, message: { ...message, token: batch.registrationIds } });
    return { kind: 'request', body, notes: [...notes, ...attempt.notes] };
  }
  return { kind: 'discarded', reason: 'payload-too-large', vendorMessage: `over ${MAX_PAYLOAD_BYTES} bytes` };
}

function notesOf(message: ChannelMessage, profile: HmsProfile): readonly string[] {
  const told = warningsFor(message, profile).map(({ path, message: words }) => `${path}: ${words}`);
  return message.silent ? told : [...told, ...reservedNotes(message)];
}

function* attemptsOf(message: ChannelMessage): Generator<Attempt> {
  yield { message, isOnce: false, notes: [] };
  const mayBeOnce = !message.silent && !hasOwnTap(message) && Object.keys(message.attributes).length > 0;
  const once = mayBeOnce ? [ONCE_NOTE] : [];
  if (mayBeOnce) yield { message, isOnce: true, notes: once };
  const unnamed = withoutChannelName(message);
  if (unnamed) yield { message: unnamed, isOnce: mayBeOnce, notes: [...once, NO_CHANNEL_NOTE] };
}

/** Such a tap carries no attributes: `data` is then the one place that they have. */
function hasOwnTap({ section }: ChannelMessage): boolean {
  const own = section['message'];
  return isJsonObject(own) && noticeOf(own)['click_action'] !== undefined;
}

function messageOf(batch: PushBatch, profile: HmsProfile, isOnce: boolean): JsonObject {
  const { message } = batch;
  const own = message.section['message'];
  const generated = message.silent ? silent(message) : notification(batch, profile);
  const { data: _copy, ...once } = generated;
  const merged = merge(merge(envelope(batch, profile), isOnce ? once : generated), isJsonObject(own) ? own : {});
  const { token: _token, ...addressed } = merge(merged, label(batch, profile));
  return textData(message.silent ? withoutNotification(addressed) : complete(addressed, message, profile));
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
  return { data: writeJson({ ...data, silent: true }) };
}

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
  return data === undefined || typeof data === 'string' ? message : { ...message, data: writeJson(data) };
}

const given = (key: string, value: Json | undefined): JsonObject => (value === undefined ? {} : { [key]: value });
