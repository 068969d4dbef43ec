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
import { type HonorProfile } from './profile';
import { merge } from './section';
import { warningsFor } from './warnings';

/** The vendor documents neither; these are the numbers of the protocol that it descends from. */
export const MAX_BATCH = 1000;
const COMFORTABLE_BYTES = 4096;
/** Honor "Push Kit: downlink message", 2024-10-11: `android.ttl`. */
const MAX_TTL_SECONDS = 15 * 86_400;

export interface HonorRequest {
  readonly kind: 'request';
  readonly body: string;
  /** What the record tells about this message. */
  readonly notes: readonly string[];
}

const ONCE_NOTE = `attributes: in the intent of the tap alone, twice is over ${COMFORTABLE_BYTES} bytes`;

/** What may go for want of room, in this order: the second copy of the attributes, then the name of the channel. */
interface Attempt {
  readonly message: ChannelMessage;
  readonly isOnce: boolean;
  readonly notes: readonly string[];
}

export function buildRequest(batch: PushBatch, profile: HonorProfile): HonorRequest | Discarded {
  const attempts = attemptsOf(batch.message);
  const built = attempts.map((attempt) => ({ attempt, body: bodyOf({ ...batch, ...attempt }, profile) }));
  const isSmall = ({ body }: { body: JsonObject }) => Buffer.byteLength(writeJson(body)) <= COMFORTABLE_BYTES;
  // What is still larger than the assumed limit is for the vendor to judge.
  const chosen = built.find(isSmall) ?? built.at(-1);
  if (!chosen || lacksText(chosen.body))
    return { kind: 'discarded', reason: 'message-rejected', vendorMessage: 'no text to show' };
  const body = writeJson({ ...chosen.body, token: batch.registrationIds });
  return { kind: 'request', body, notes: [...notesOf(batch.message, profile), ...chosen.attempt.notes] };
}

function notesOf(message: ChannelMessage, profile: HonorProfile): readonly string[] {
  const told = warningsFor(message, profile).map(({ path, message: words }) => `${path}: ${words}`);
  return message.silent ? told : [...told, ...reservedNotes(message)];
}

function attemptsOf(message: ChannelMessage): readonly Attempt[] {
  // A tap of the section carries no attributes: `data` is then the one place that they have.
  const hasOwnTap = noticeOf(message.section)['clickAction'] !== undefined;
  const mayBeOnce = !message.silent && !hasOwnTap && Object.keys(message.attributes).length > 0;
  const once = mayBeOnce ? [ONCE_NOTE] : [];
  const unnamed = withoutChannelName(message);
  return [
    { message, isOnce: false, notes: [] },
    ...(mayBeOnce ? [{ message, isOnce: true, notes: once }] : []),
    ...(unnamed ? [{ message: unnamed, isOnce: mayBeOnce, notes: [...once, NO_CHANNEL_NOTE] }] : []),
  ];
}

function bodyOf(batch: PushBatch & Pick<Attempt, 'isOnce'>, profile: HonorProfile): JsonObject {
  const { message, pushId, isOnce } = batch;
  const generated = message.silent ? silent(message) : notification(batch, profile);
  const { data: _copy, ...once } = generated;
  const merged = merge(merge(envelope(batch), isOnce ? once : generated), message.section);
  // Set last: what receipts are told apart by is not the sender's to choose.
  const { token: _token, ...labelled } = merge(merged, { android: { biTag: pushId } });
  return textData(message.silent ? withoutNotification(labelled) : complete(labelled, message, profile));
}

function envelope({ ttlMs }: PushBatch): JsonObject {
  const seconds = Math.min(Math.max(1, Math.floor(ttlMs / 1000)), MAX_TTL_SECONDS);
  return { android: { ttl: `${seconds}s` } };
}

function silent({ data }: ChannelMessage): JsonObject {
  return { data: writeJson({ ...data, silent: true }) };
}

/** Title and body stand where a sender's `notification` and `android.notification` both override them. */
function notification({ message, app, pushId }: PushBatch, profile: HonorProfile): JsonObject {
  return {
    data: writeJson(message.attributes),
    notification: { title: message.title || app.name, body: message.alert },
    android: {
      notification: {
        clickAction: { type: 1, intent: tapIntent(profile.intentHost ?? app.intentHost, message.attributes) },
        notifyId: replaceKey(pushId),
        ...given('importance', profile.importance),
      },
    },
  };
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
  return data === undefined || typeof data === 'string' ? body : { ...body, data: writeJson(data) };
}

const given = (key: string, value: Json | undefined): JsonObject => (value === undefined ? {} : { [key]: value });
