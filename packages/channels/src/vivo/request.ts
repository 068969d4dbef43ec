import {
  contentKey,
  fit,
  given,
  hexDigest,
  NO_CHANNEL_NOTE,
  replaceKey,
  reservedNotes,
  withoutChannelName,
  type Composed,
  type PushBatch,
} from '@pushfleet/channel-kit';
import { CHANNEL_ATTRIBUTE, isJsonObject, type Json, type JsonObject, writeJson } from '@pushfleet/domain';
import { fitPairs, MORE_PAIRS, textPairs, type FittedPairs } from './pairs';
import { type VivoProfile } from './profile';

export const MAX_BATCH = 1000;

/** vivo push server API, "Single push" and "Push to a list". */
const TITLE_POINTS = 40;
const CONTENT_POINTS = 100;
const MIN_TTL_S = 60;
const MIN_LIST_TTL_S = 900;
const MAX_TTL_S = 86_400;
/** Of an address in a message. */
export const CALLBACK_LENGTH = 128;
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

export interface Payload extends Composed {
  readonly fields: JsonObject;
  /** Attributes for which the vendor has no room. */
  readonly left: readonly string[];
}

export function payloadOf(batch: PushBatch, profile: VivoProfile): Payload {
  const { message } = batch;
  const title = fit(message.title || batch.app.name, TITLE_POINTS);
  const content = fit(contentOf(batch), CONTENT_POINTS);
  const fitted = pairsOf(batch);
  const fields = {
    notifyType: RING_AND_VIBRATE,
    timeToLive: ttlSeconds(batch),
    skipType: OPEN_APP,
    networkType: -1,
    ...classOf(message.section, profile),
    pushMode: 0,
    notifyId: replaceKey(batch),
    ...(message.badge === 'Increment' ? { addBadge: true } : {}),
    ...message.section,
    clientCustomMap: fitted.pairs,
    title: title.text,
    content: content.text,
    appId: wireAppId(profile),
    ...receiptFields(batch, profile),
  };
  const { clientCustomMap: _, ...plain } = fields;
  return {
    fields: Object.keys(fitted.pairs).length > 0 ? fields : plain,
    cut: [...(title.truncated ? ['title'] : []), ...(content.truncated ? ['content'] : [])],
    left: fitted.left,
    notes: [...pairNotes(fitted), ...receiptNotes(batch, fields), ...reservedNotes(message)],
  };
}

interface MessagePairs extends FittedPairs {
  /** The name of the push's channel had no room. */
  readonly isUnnamed?: boolean;
}

/** The pairs of a section are the sender's last word; the name of the push's channel takes the place of no attribute. */
function pairsOf({ message }: PushBatch): MessagePairs {
  const own = message.section['clientCustomMap'];
  if (isJsonObject(own)) return fitPairs(textPairs(own));
  const named = fitPairs(textPairs(message.attributes));
  const isCrowded = [...named.packed, ...named.left].includes(CHANNEL_ATTRIBUTE);
  const unnamed = isCrowded ? withoutChannelName(message) : undefined;
  return unnamed ? { ...fitPairs(textPairs(unnamed.attributes)), isUnnamed: true } : named;
}

function pairNotes({ packed, left, isUnnamed = false }: MessagePairs): readonly string[] {
  return [
    ...(isUnnamed ? [NO_CHANNEL_NOTE] : []),
    ...(packed.length > 0 ? [`attributes: ${named(packed)} in the pair ${MORE_PAIRS}`] : []),
    ...(left.length > 0 ? [`attributes: ${named(left)} left out, no room`] : []),
  ];
}

const named = (names: readonly string[]): string => names.join(', ').slice(0, 120);

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
  return { classification, ...given('category', category) };
}

const classOfCategory = (category: Json | undefined): number | undefined =>
  typeof category === 'string' ? CLASS_OF_CATEGORY[category] : undefined;

/** The vendor's own ids are numbers on the wire. */
export function wireAppId({ appId }: VivoProfile): string | number {
  return /^[1-9]\d{0,14}$/.test(appId) ? Number(appId) : appId;
}

/**
 * An address that the vendor's console knows reports single and list sends, one in the message single sends only, and the
 * two exclude each other (vivo notice on receipts, 2023-01-10). An address over the limit would cost the push itself.
 */
function receiptFields({ receiptUrl, pushId }: PushBatch, { receipts, callbackId }: VivoProfile): JsonObject {
  const isById = callbackId !== undefined && (receipts ?? 'id') === 'id';
  if (isById) return { extra: { 'callback.id': callbackId, 'callback.param': pushId } };
  if (receiptUrl === undefined || receiptUrl.length > CALLBACK_LENGTH) return {};
  return { extra: { callback: receiptUrl, 'callback.param': pushId } };
}

const receiptNotes = ({ receiptUrl }: PushBatch, { extra }: JsonObject): readonly string[] =>
  receiptUrl !== undefined && extra === undefined
    ? [`receipts: none asked for, the address is over ${CALLBACK_LENGTH} characters`]
    : [];

/** Whether the notification lacks a text, so that the vendor would refuse it. */
export const lacksText = ({ fields }: Payload): boolean => String(fields['content']).trim() === '';

export function singleBody({ fields }: Payload, batch: PushBatch): string {
  return writeJson({ ...fields, regId: batch.registrationIds[0], requestId: batch.batchId });
}

/** `requestId` marks a repeat of the same call, so saving has one that differs from sending. */
export function saveBody({ fields }: Payload, requestId: string): string {
  return writeJson({ ...fields, requestId: hexDigest('md5', `save ${requestId}`) });
}

export function listBody({ fields }: Payload, batch: PushBatch, taskId: string): string {
  const { appId, pushMode } = fields;
  return writeJson({ appId, pushMode, taskId, requestId: batch.batchId, regIds: batch.registrationIds });
}

/** The same for every page of a push that may share a saved payload: its life shrinks from page to page and is left out. */
export function savedPayloadKey({ fields }: Payload, pushId: string): string {
  const { timeToLive: _, ...content } = fields;
  return contentKey(pushId, content);
}
