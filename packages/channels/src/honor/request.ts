import {
  attemptsOf,
  lacksBody,
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
import { type Discarded, type Json, type JsonObject, writeJson } from '@pushfleet/domain';
import { complete } from './notice';
import { type HonorProfile } from './profile';
import { merge } from './section';
import { warningsFor } from './warnings';

/** The vendor documents neither; these are the numbers of the protocol that it descends from. */
export const MAX_BATCH = 1000;
const COMFORTABLE_BYTES = 4096;
/** Honor "Push Kit: downlink message", 2024-10-11: `android.ttl`. */
const MAX_TTL_SECONDS = 15 * 86_400;

export function buildRequest(batch: PushBatch, profile: HonorProfile): BuiltRequest | Discarded {
  const hasOwnTap = noticeOf(batch.message.section)['clickAction'] !== undefined;
  const attempts = attemptsOf(batch.message, { maxBytes: COMFORTABLE_BYTES, hasOwnTap });
  const built = [...attempts].map((attempt) => ({ attempt, body: bodyOf({ ...batch, ...attempt }, profile) }));
  const isSmall = ({ body }: { body: JsonObject }) => Buffer.byteLength(writeJson(body)) <= COMFORTABLE_BYTES;
  // What is still larger than the assumed limit is for the vendor to judge.
  const chosen = built.find(isSmall) ?? built.at(-1);
  if (!chosen || lacksBody(chosen.body))
    return { kind: 'discarded', reason: 'message-rejected', vendorMessage: 'no text to show' };
  const notes = messageNotes(batch.message, warningsFor(batch.message, profile));
  const body = writeJson({ ...chosen.body, token: batch.registrationIds });
  return { kind: 'request', body, notes: [...notes, ...chosen.attempt.notes] };
}

function bodyOf(batch: PushBatch & { readonly isOnce: boolean }, profile: HonorProfile): JsonObject {
  const { message, pushId, isOnce } = batch;
  const generated = message.silent ? silentMessage(message) : notification(batch, profile);
  const { data: _copy, ...once } = generated;
  const merged = merge(merge(envelope(batch), isOnce ? once : generated), message.section);
  // Set last: what receipts are told apart by is not the sender's to choose.
  const { token: _token, ...labelled } = merge(merged, { android: { biTag: pushId } });
  return withTextData(message.silent ? withoutNotification(labelled) : complete(labelled, message, profile));
}

function envelope({ ttlMs }: PushBatch): JsonObject {
  return { android: { ttl: secondsText(ttlMs, MAX_TTL_SECONDS) } };
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

const given = (key: string, value: Json | undefined): JsonObject => (value === undefined ? {} : { [key]: value });
