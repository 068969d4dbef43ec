import { writeJson, type ChannelMessage, type Discarded, type JsonObject, type PushWarning } from '@pushfleet/domain';
import {
  attemptsOf,
  messageNotes,
  noticeOf,
  noticeText,
  secondsText,
  silentMessage,
  withoutNotification,
  withTextData,
  type Attempt,
} from './android-message';
import type { PushBatch } from './vendor-session';
import type { BuiltRequest } from './message-preview';
import { tapIntent } from './intent';
import { shownAs } from './message-preview';
import { discarded } from './outcomes';
import { replaceKey } from './text';

/** How one vendor writes a message of the form that several vendors share (`android-message.ts`). */
export interface AndroidVendor {
  /** The vendor's words for a tap, for the id by which a notification replaces another, and for the id in receipts. */
  readonly words: { readonly tap: string; readonly notifyId: string; readonly tag: string };
  /** What the sender's section says, in the vendor's words. */
  readonly own: JsonObject;
  /** Fields of `android` and of `android.notification` that the profile or the message gives. */
  readonly android: JsonObject;
  readonly notice: JsonObject;
  /** Fields of `android` that no section replaces. */
  readonly label: JsonObject;
  readonly intentHost: string | undefined;
  readonly maxTtlSeconds: number;
  readonly maxBytes: number;
  /** A message over the limit is refused here; without it, the limit is an assumption and the vendor judges. */
  readonly isLimitSure: boolean;
  readonly warnings: readonly PushWarning[];
  merge(base: JsonObject, over: JsonObject): JsonObject;
  /** Adds what the vendor requires of a notification and a sender does not write. */
  complete(message: JsonObject, sent: ChannelMessage): JsonObject;
  /** A notification without a text, which the vendor refuses. */
  lacksText(message: JsonObject): boolean;
  /** The body of a call. */
  wrap(message: JsonObject): JsonObject;
}

/** The batch as a call, with as much of the message as fits. */
export function buildAndroid(batch: PushBatch, vendor: AndroidVendor): BuiltRequest | Discarded {
  const { own, words, maxBytes, isLimitSure } = vendor;
  const room = { maxBytes, hasOwnTap: noticeOf(own)[words.tap] !== undefined };
  const notes = messageNotes(batch.message, vendor.warnings);
  let largest: { readonly message: JsonObject; readonly notes: readonly string[] } | undefined;
  for (const attempt of attemptsOf(batch.message, room)) {
    const message = messageOf({ isOnce: attempt.isOnce, ...batch, message: attempt.message }, vendor);
    if (vendor.lacksText(message)) return discarded('message-rejected', 'no text to show');
    largest = { message, notes: [...notes, ...attempt.notes] };
    if (Buffer.byteLength(writeJson(vendor.wrap(message))) <= maxBytes) return addressed(batch, vendor, largest);
  }
  if (isLimitSure || !largest) return discarded('payload-too-large', `over ${maxBytes} bytes`);
  return addressed(batch, vendor, largest);
}

const addressed = (
  { registrationIds }: PushBatch,
  { wrap }: AndroidVendor,
  { message, notes }: { readonly message: JsonObject; readonly notes: readonly string[] },
): BuiltRequest => ({
  kind: 'request',
  body: writeJson(wrap({ token: registrationIds, ...message })),
  notes,
  ...shownAs(noticeText(message, 'title'), noticeText(message, 'body')),
});

function messageOf(batch: PushBatch & Pick<Attempt, 'isOnce'>, vendor: AndroidVendor): JsonObject {
  const { message, ttlMs, pushId, isOnce } = batch;
  const { android, label, maxTtlSeconds, merge, own, words } = vendor;
  const generated = message.silent ? silentMessage(message) : shown(batch, vendor);
  const envelope = { android: { ttl: secondsText(ttlMs, maxTtlSeconds), ...android } };
  const merged = merge(merge(envelope, isOnce ? without(generated, 'data') : generated), own);
  // Set last: what receipts are told apart by is not the sender's to choose.
  const labelled = without(merge(merged, { android: { [words.tag]: pushId, ...label } }), 'token');
  return withTextData(message.silent ? withoutNotification(labelled) : vendor.complete(labelled, message));
}

function without(message: JsonObject, name: string): JsonObject {
  if (message[name] === undefined) return message;
  const { [name]: _, ...rest } = message;
  return rest;
}

/** Title and body stand where a section's `notification` and `android.notification` both override them. */
function shown(batch: PushBatch, { words, notice, intentHost }: AndroidVendor): JsonObject {
  const { message, app } = batch;
  const tap = { type: 1, intent: tapIntent(intentHost ?? app.intentHost, message.attributes) };
  return {
    data: writeJson(message.attributes),
    notification: { title: message.title || app.name, body: message.alert },
    android: { notification: { [words.tap]: tap, [words.notifyId]: replaceKey(batch), ...notice } },
  };
}
