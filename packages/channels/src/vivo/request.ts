import { createHash } from 'node:crypto';
import { fit, replaceKey, type PushBatch } from '@pushfleet/channel-kit';
import { isJsonObject, type Discarded, type Json, type JsonObject } from '@pushfleet/domain';
import { type VivoProfile } from './profile';
import { textPairs } from './section';

export const MAX_BATCH = 1000;
export const MAX_PAYLOAD_BYTES = 4096;

/** vivo push server API, "Single push" and "Push to a list". */
const TITLE_POINTS = 40;
const CONTENT_POINTS = 100;
const MIN_TTL_S = 60;
const MIN_LIST_TTL_S = 900;
const MAX_TTL_S = 86_400;
const MAX_PAIRS = 10;
const PAIRS_LENGTH = 1024;
const CALLBACK_LENGTH = 128;
const RING_AND_VIBRATE = 4;
const OPEN_APP = 1;
const OPERATION = 0;
const SYSTEM = 1;

/** vivo push server API, "Message classes": each second-level class belongs to one of the two. */
const CLASS_OF_CATEGORY: Readonly<Record<string, number | undefined>> = {
  IM: SYSTEM,
  ACCOUNT: SYSTEM,
  TODO: SYSTEM,
  DEVICE_REMINDER: SYSTEM,
  ORDER: SYSTEM,
  SUBSCRIPTION: SYSTEM,
  NEWS: OPERATION,
  CONTENT: OPERATION,
  MARKETING: OPERATION,
  SOCIAL: OPERATION,
};

export interface Payload {
  readonly fields: JsonObject;
  /** Fields whose text was cut. */
  readonly cut: readonly string[];
}

export function payloadOf(batch: PushBatch, profile: VivoProfile): Payload {
  const { message } = batch;
  const title = fit(message.title || batch.app.name, TITLE_POINTS);
  const content = fit(contentOf(batch), CONTENT_POINTS);
  const pairs = textPairs(message.attributes);
  const fields = {
    notifyType: RING_AND_VIBRATE,
    timeToLive: ttlSeconds(batch),
    skipType: OPEN_APP,
    networkType: -1,
    ...classOf(message.section, profile),
    ...(Object.keys(pairs).length > 0 ? { clientCustomMap: pairs } : {}),
    pushMode: 0,
    notifyId: replaceKey(batch.pushId),
    ...message.section,
    title: title.text,
    content: content.text,
    appId: wireAppId(profile),
    ...receiptFields(batch),
  };
  return { fields, cut: [...(title.truncated ? ['title'] : []), ...(content.truncated ? ['content'] : [])] };
}

function contentOf({ message }: PushBatch): string {
  const content = message.section['content'];
  return typeof content === 'string' ? content : message.alert;
}

function ttlSeconds({ ttlMs, registrationIds }: PushBatch): number {
  const least = registrationIds.length === 1 ? MIN_TTL_S : MIN_LIST_TTL_S;
  return Math.min(Math.max(Math.floor(ttlMs / 1000), least), MAX_TTL_S);
}

/**
 * The vendor's default for `classification` has changed over time, so one is always sent; it refuses a category of the
 * other class, so a section that names one of the two decides both.
 */
function classOf(section: JsonObject, profile: VivoProfile): JsonObject {
  const usual = profile.classification ?? classOfCategory(profile.category) ?? SYSTEM;
  const classification = section['classification'] ?? classOfCategory(section['category']) ?? usual;
  const fits = (classOfCategory(profile.category) ?? classification) === classification;
  const category = section['category'] ?? (fits ? profile.category : undefined);
  return { classification, ...(category === undefined ? {} : { category }) };
}

const classOfCategory = (category: Json | undefined): number | undefined =>
  typeof category === 'string' ? CLASS_OF_CATEGORY[category] : undefined;

/** The vendor's own ids are numbers on the wire. */
export function wireAppId({ appId }: VivoProfile): string | number {
  return /^[1-9]\d{0,14}$/.test(appId) ? Number(appId) : appId;
}

/** A URL over the limit would cost the push itself: then there are no receipts. */
function receiptFields({ receiptUrl, pushId }: PushBatch): JsonObject {
  if (receiptUrl === undefined || receiptUrl.length > CALLBACK_LENGTH) return {};
  return { extra: { callback: receiptUrl, 'callback.param': pushId } };
}

/** What the vendor would refuse for its custom pairs, without asking it. */
export function pairsDiscard({ fields }: Payload): Discarded | undefined {
  const pairs = fields['clientCustomMap'];
  if (!isJsonObject(pairs)) return undefined;
  if (Object.keys(pairs).length > MAX_PAIRS)
    return { kind: 'discarded', reason: 'message-rejected', vendorMessage: `more than ${MAX_PAIRS} custom pairs` };
  const length = Object.entries(pairs).reduce((total, [key, value]) => total + key.length + String(value).length, 0);
  if (length <= PAIRS_LENGTH) return undefined;
  const vendorMessage = `custom pairs are longer than ${PAIRS_LENGTH} characters`;
  return { kind: 'discarded', reason: 'payload-too-large', vendorMessage };
}

export function singleBody({ fields }: Payload, batch: PushBatch): string {
  return JSON.stringify({ ...fields, regId: batch.registrationIds[0], requestId: batch.batchId });
}

/** `requestId` marks a repeat of the same call, so saving has one that differs from sending. */
export function saveBody({ fields }: Payload, requestId: string): string {
  return JSON.stringify({ ...fields, requestId: createHash('md5').update(`save ${requestId}`).digest('hex') });
}

export function listBody({ fields }: Payload, batch: PushBatch, taskId: string): string {
  const { appId, pushMode } = fields;
  return JSON.stringify({ appId, pushMode, taskId, requestId: batch.batchId, regIds: batch.registrationIds });
}

/** The same for every page of a push that may share a saved payload: its life shrinks from page to page and is left out. */
export function savedPayloadKey({ fields }: Payload, pushId: string): string {
  const { timeToLive: _, ...content } = fields;
  return `${pushId} ${createHash('sha256').update(JSON.stringify(content)).digest('base64')}`;
}
