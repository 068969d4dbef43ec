import {
  discarded,
  fit,
  given,
  layOver,
  replaceKey,
  reservedNotes,
  shownAs,
  type BuiltRequest,
  type PushBatch,
} from '@pushfleet/channel-kit';
import {
  isJsonObject,
  type ChannelMessage,
  type Discarded,
  type Json,
  type JsonObject,
  writeJson,
} from '@pushfleet/domain';
import { type MzProfile } from './profile';
import { sectionMessage } from './section';
import { signed } from './sign';

/** Meizu PushAPI README, 2025-04-09, noticeBarInfo. */
const MAX_TITLE = 32;
const MAX_CONTENT = 100;
/** Of an address for receipts; the vendor publishes no limit for a notification as a whole. */
export const MAX_CALLBACK_BYTES = 128;
const HOUR_MS = 3_600_000;
const MAX_VALID_HOURS = 72;

export function buildRequest(batch: PushBatch, profile: MzProfile): BuiltRequest | Discarded {
  const { message, app } = batch;
  if (message.silent) return discarded('silent-unsupported', 'the vendor has no pass-through messages');
  const merged = layOver(generated(batch, profile), sectionMessage(message.section));
  const { fitted, truncated } = fitTexts(merged);
  if (truncated && app.overlong === 'reject') return discarded('message-rejected', 'title or content too long');
  if (lacksText(fitted)) return discarded('message-rejected', 'no text to show');
  const messageJson = writeJson(fitted);
  const params = { appId: profile.appId, messageJson, pushIds: batch.registrationIds.join(',') };
  const body = signed(params, profile.appSecret);
  return { kind: 'request', body, truncated, notes: notesOf(batch), ...shownIn(fitted) };
}

function generated(batch: PushBatch, { noticeMsgType }: MzProfile): JsonObject {
  const { message, app, ttlMs } = batch;
  const validTime = Math.min(Math.max(1, Math.ceil(ttlMs / HOUR_MS)), MAX_VALID_HOURS);
  return {
    noticeBarInfo: {
      ...given('noticeMsgType', noticeMsgType),
      noticeBarType: 0,
      title: message.title || app.name,
      content: message.alert,
    },
    clickTypeInfo: { clickType: 0, parameters: parametersOf(message) },
    pushTimeInfo: { offLine: 1, validTime },
    advanceInfo: { notifyKey: replaceKey(batch).toString(36) },
    ...receiptPart(batch),
  };
}

/** Existing app builds report a tap as a broadcast named by `action`. */
const parametersOf = ({ attributes, action }: ChannelMessage): JsonObject =>
  action === undefined ? attributes : { ...attributes, action };

/** A longer address would make the vendor refuse the message. */
function receiptPart({ receiptUrl, pushId }: PushBatch): JsonObject {
  if (receiptUrl === undefined || isTooLong(receiptUrl)) return {};
  return { extra: { callback: receiptUrl, 'callback.param': pushId, 'callback.type': '3' } };
}

const isTooLong = (receiptUrl: string): boolean => Buffer.byteLength(receiptUrl) > MAX_CALLBACK_BYTES;

function notesOf({ message, receiptUrl }: PushBatch): readonly string[] {
  const isUnreported = receiptUrl !== undefined && isTooLong(receiptUrl);
  const receipts = isUnreported ? [`receipts: none asked for, the address is over ${MAX_CALLBACK_BYTES} bytes`] : [];
  return [...receipts, ...reservedNotes(message)];
}

function lacksText({ noticeBarInfo: bar }: JsonObject): boolean {
  return !isJsonObject(bar) || String(bar['content'] ?? '').trim() === '';
}

const shownIn = ({ noticeBarInfo: bar }: JsonObject) =>
  isJsonObject(bar) ? shownAs(bar['title'], bar['content']) : {};

function fitTexts(message: JsonObject): { readonly fitted: JsonObject; readonly truncated: boolean } {
  const bar = message['noticeBarInfo'];
  if (!isJsonObject(bar)) return { fitted: message, truncated: false };
  const title = fitText(bar['title'], MAX_TITLE);
  const content = fitText(bar['content'], MAX_CONTENT);
  return {
    fitted: { ...message, noticeBarInfo: { ...bar, title: title.text, content: content.text } },
    truncated: title.truncated || content.truncated,
  };
}

const fitText = (value: Json | undefined, max: number): { readonly text: Json; readonly truncated: boolean } =>
  typeof value === 'string' ? fit(value, max) : { text: value ?? '', truncated: false };
