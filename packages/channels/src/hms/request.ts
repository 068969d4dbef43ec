import { buildAndroid, given, type BuiltRequest, type PushBatch } from '@pushfleet/channel-kit';
import { isJsonObject, type Discarded } from '@pushfleet/domain';
import { complete, lacksText } from './notice';
import { type HmsProfile } from './profile';
import { merge, TAP } from './section';
import { warningsFor } from './warnings';

/** Huawei "Push Kit REST API: sending messages, v1/v2", copy dated 2025-08: tokens per call, bytes without tokens, life. */
export const MAX_BATCH = 1000;
export const MAX_PAYLOAD_BYTES = 4096;
const MAX_TTL_SECONDS = 15 * 86_400;

const WORDS = { tap: TAP, notifyId: 'notify_id', tag: 'bi_tag' };

/** The address on the vendor's console that this profile asks to report to. */
const addressOf = ({ receipts = 'id', receiptId }: HmsProfile): string | undefined =>
  receipts === 'id' ? receiptId : undefined;

export function buildRequest(batch: PushBatch, profile: HmsProfile): BuiltRequest | Discarded {
  const { section, notificationChannel } = batch.message;
  const own = section['message'];
  return buildAndroid(batch, {
    words: WORDS,
    own: isJsonObject(own) ? own : {},
    android: given('category', profile.category),
    notice: given('channel_id', notificationChannel),
    label: given('receipt_id', addressOf(profile)),
    intentHost: profile.intentHost,
    maxTtlSeconds: MAX_TTL_SECONDS,
    maxBytes: MAX_PAYLOAD_BYTES,
    isLimitSure: true,
    warnings: warningsFor(batch.message, profile),
    merge,
    complete: (message, sent) => complete(message, sent, profile),
    lacksText,
    wrap: (message) => ({ validate_only: false, message }),
  });
}
