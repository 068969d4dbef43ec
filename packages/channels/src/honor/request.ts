import { buildAndroid, given, lacksBody, type BuiltRequest, type PushBatch } from '@pushfleet/channel-kit';
import { type Discarded } from '@pushfleet/domain';
import { complete } from './notice';
import { type HonorProfile } from './profile';
import { merge, TAP } from './section';
import { warningsFor } from './warnings';

/** The vendor documents neither; these are the numbers of the protocol that it descends from. */
export const MAX_BATCH = 1000;
const COMFORTABLE_BYTES = 4096;
/** Honor "Push Kit: downlink message", 2024-10-11: `android.ttl`. */
const MAX_TTL_SECONDS = 15 * 86_400;

const WORDS = { tap: TAP, notifyId: 'notifyId', tag: 'biTag' };

export const buildRequest = (batch: PushBatch, profile: HonorProfile): BuiltRequest | Discarded =>
  buildAndroid(batch, {
    words: WORDS,
    own: batch.message.section,
    android: {},
    notice: given('importance', profile.importance),
    label: {},
    intentHost: profile.intentHost,
    maxTtlSeconds: MAX_TTL_SECONDS,
    maxBytes: COMFORTABLE_BYTES,
    isLimitSure: false,
    warnings: warningsFor(batch.message, profile),
    merge,
    complete: (body, sent) => complete(body, sent, profile),
    lacksText: lacksBody,
    wrap: (body) => body,
  });
