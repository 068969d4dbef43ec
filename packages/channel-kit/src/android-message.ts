import {
  isJsonObject,
  type ChannelMessage,
  type Json,
  type JsonObject,
  type PushWarning,
  writeJson,
} from '@pushfleet/domain';
import { NO_CHANNEL_NOTE, reservedNotes, withoutChannelName } from './notes';

/** Empty where no object stands. */
export const objectIn = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

/**
 * `android.notification` of a message in the form that several vendors share: the vendor's own fields, which win over those of
 * `notification`, that every phone shows; `data` is text.
 */
export const noticeOf = (message: JsonObject): JsonObject => objectIn(objectIn(message['android'])['notification']);

/** Title and body may stand in two places; the inner one wins. */
export const noticeText = (message: JsonObject, field: 'title' | 'body'): Json | undefined =>
  noticeOf(message)[field] ?? objectIn(message['notification'])[field];

/** A notification without a text, which the vendor refuses. */
export function lacksBody(message: JsonObject): boolean {
  if (message['notification'] === undefined && Object.keys(noticeOf(message)).length === 0) return false;
  const body = noticeText(message, 'body');
  return typeof body !== 'string' || body.trim() === '';
}

/** The vendor takes a message for a pass-through one only when no notification stands in it. */
export function withoutNotification({ notification: _shown, ...message }: JsonObject): JsonObject {
  const android = message['android'];
  if (!isJsonObject(android)) return message;
  const { notification: _displayed, ...rest } = android;
  return { ...message, android: rest };
}

/** The vendor wants `data` as text; a sender may give it as the object that it stands for. */
export function withTextData(message: JsonObject): JsonObject {
  const { data } = message;
  return data === undefined || typeof data === 'string' ? message : { ...message, data: writeJson(data) };
}

export const silentMessage = ({ data }: ChannelMessage): JsonObject => ({ data: writeJson({ ...data, silent: true }) });

/** The life of a message as the vendor writes it, `3600s`. */
export const secondsText = (ttlMs: number, maxSeconds: number): string =>
  `${Math.min(Math.max(1, Math.floor(ttlMs / 1000)), maxSeconds)}s`;

/** What the record tells about a message that was taken. */
export function messageNotes(message: ChannelMessage, warnings: readonly PushWarning[]): readonly string[] {
  const told = warnings.map(({ path, message: words }) => `${path}: ${words}`);
  return message.silent ? told : [...told, ...reservedNotes(message)];
}

/** What is left out when a message is too large, in this order: the second copy of the attributes, then the name of the channel. */
export interface Attempt {
  readonly message: ChannelMessage;
  /** Attributes stand in the intent of the tap alone. */
  readonly isOnce: boolean;
  readonly notes: readonly string[];
}

export interface Room {
  readonly maxBytes: number;
  /** A tap of the sender's own carries no attributes: `data` is then the one place that they have. */
  readonly hasOwnTap: boolean;
}

/** The message, and what is left of it where it does not fit, largest first. */
export function* attemptsOf(message: ChannelMessage, { maxBytes, hasOwnTap }: Room): Generator<Attempt> {
  yield { message, isOnce: false, notes: [] };
  const mayBeOnce = !message.silent && !hasOwnTap && Object.keys(message.attributes).length > 0;
  const once = mayBeOnce ? [`attributes: in the intent of the tap alone, twice is over ${maxBytes} bytes`] : [];
  if (mayBeOnce) yield { message, isOnce: true, notes: once };
  const unnamed = withoutChannelName(message);
  if (unnamed) yield { message: unnamed, isOnce: mayBeOnce, notes: [...once, NO_CHANNEL_NOTE] };
}
