import { createHash } from 'node:crypto';
import { fit, replaceKey, type PushBatch } from '@pushfleet/channel-kit';
import { DAY_MS, type ChannelMessage, type Discarded } from '@pushfleet/domain';
import { type MiProfile } from './profile';
import { sectionFields } from './section';

/** Xiaomi "API and parameters", 2024-10-21: a title has fewer than 50 characters, a description fewer than 128. */
const MAX_TITLE = 49;
const MAX_DESCRIPTION = 127;
export const MAX_PAYLOAD_BYTES = 4096;
/** The longest life that the vendor grants any class of message; shorter limits it applies by itself. */
const MAX_TTL_MS = 10 * DAY_MS;
/** Delivered, clicked, registration gone, notifications off. */
const RECEIPT_TYPES = 1 | 2 | 16 | 32;

export interface MiRequest {
  readonly kind: 'request';
  /** Form-encoded. */
  readonly body: string;
  readonly truncated: boolean;
}

type Fields = Record<string, string>;

export function buildRequest(batch: PushBatch, profile: MiProfile): MiRequest | Discarded {
  const { message, app } = batch;
  const own = sectionFields(message.section);
  const passThrough = (own['pass_through'] ?? (message.silent ? '1' : '0')) === '1';
  const fields: Fields = {
    registration_id: batch.registrationIds.join(','),
    restricted_package_name: profile.packageName,
    payload: JSON.stringify(message.data),
    pass_through: passThrough ? '1' : '0',
    time_to_live: String(Math.min(Math.max(1, Math.floor(batch.ttlMs)), MAX_TTL_MS)),
    'extra.jobkey': jobKey(batch.pushId),
    ...(passThrough ? {} : noticeFields(batch, profile)),
    ...receiptFields(batch),
    ...own,
  };
  const truncated = passThrough ? false : fitTexts(fields);
  if (truncated && app.overlong === 'reject') return discarded('message-rejected', 'title or description too long');
  if (Buffer.byteLength(fields['payload'] ?? '') > MAX_PAYLOAD_BYTES) return discarded('payload-too-large', 'payload');
  return { kind: 'request', body: new URLSearchParams(fields).toString(), truncated };
}

function noticeFields({ message, app, pushId }: PushBatch, profile: MiProfile): Fields {
  const channelId = message.notificationChannel ?? profile.channelId;
  return {
    title: message.title || app.name,
    description: message.alert,
    notify_type: '-1',
    notify_id: String(replaceKey(pushId)),
    ...(channelId === undefined ? {} : { 'extra.channel_id': channelId }),
    ...soundField(message),
  };
}

function soundField({ sound }: ChannelMessage): Fields {
  return sound === undefined ? {} : { 'extra.sound_uri': sound };
}

function receiptFields({ receiptUrl, pushId }: PushBatch): Fields {
  if (receiptUrl === undefined) return {};
  return {
    'extra.callback': receiptUrl,
    'extra.callback.param': pushId,
    'extra.callback.type': String(RECEIPT_TYPES),
  };
}

/** The device drops a second message with the same key, so that a repeated batch is shown once. */
function jobKey(pushId: string): string {
  if (/^[0-9A-Za-z-][0-9A-Za-z_-]{0,19}$/.test(pushId)) return pushId;
  return createHash('sha256').update(pushId).digest('hex').slice(0, 20);
}

function fitTexts(fields: Fields): boolean {
  const title = fit(fields['title'] ?? '', MAX_TITLE);
  const description = fit(fields['description'] ?? '', MAX_DESCRIPTION);
  fields['title'] = title.text;
  fields['description'] = description.text;
  return title.truncated || description.truncated;
}

function discarded(reason: Discarded['reason'], vendorMessage: string): Discarded {
  return { kind: 'discarded', reason, vendorMessage };
}
