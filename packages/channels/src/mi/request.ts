import {
  discarded,
  fit,
  hexDigest,
  NO_CHANNEL_NOTE,
  replaceKey,
  shownAs,
  tapIntent,
  withoutChannelName,
  type BuiltRequest,
  type PushBatch,
} from '@pushfleet/channel-kit';
import { type ChannelMessage, DAY_MS, type Discarded, writeJson } from '@pushfleet/domain';
import { type MiProfile } from './profile';
import { sectionFields } from './section';
import { isPassThrough, warningsFor } from './warnings';

/** Xiaomi "API and parameters", 2024-10-21: a title has fewer than 50 characters, a description fewer than 128. */
const MAX_TITLE = 49;
const MAX_DESCRIPTION = 127;
export const MAX_PAYLOAD_BYTES = 4096;
/** Xiaomi push, pId=1854 (2024-09-03): private messages live ten days, public ones, which name no channel, one. */
const MAX_TTL_MS = 10 * DAY_MS;
const MAX_PUBLIC_TTL_MS = DAY_MS;
/** Delivered, clicked, registration gone, notifications off, life over. */
const RECEIPT_TYPES = 1 | 2 | 16 | 32 | 1024;

type Fields = Record<string, string>;

/** The name of the push's channel comes along where it fits. */
export function buildRequest(batch: PushBatch, profile: MiProfile): BuiltRequest | Discarded {
  const named = build(batch, profile);
  const isTooLarge = named.kind === 'discarded' && named.reason === 'payload-too-large';
  const unnamed = isTooLarge ? withoutChannelName(batch.message) : undefined;
  if (!unnamed) return named;
  const request = build({ ...batch, message: unnamed }, profile);
  return request.kind === 'request' ? { ...request, notes: [...request.notes, NO_CHANNEL_NOTE] } : request;
}

function build(batch: PushBatch, profile: MiProfile): BuiltRequest | Discarded {
  const { message, app } = batch;
  const own = sectionFields(message.section);
  const isHanded = isPassThrough(message, own);
  if (isHanded && profile.passThrough === false)
    return discarded('silent-unsupported', 'the profile sends no silent messages');
  const fields = fieldsOf(batch, profile, { own, isHanded });
  const truncated = isHanded ? false : fitTexts(fields);
  if (!isHanded && lacksText(fields)) return discarded('message-rejected', 'no text to show');
  if (truncated && app.overlong === 'reject') return discarded('message-rejected', 'title or description too long');
  if (Buffer.byteLength(fields['payload'] ?? '') > MAX_PAYLOAD_BYTES) return discarded('payload-too-large', 'payload');
  const notes = [...templateNotes(fields, profile), ...warningNotes(message, profile)];
  return { kind: 'request', body: new URLSearchParams(fields).toString(), truncated, notes, ...textsOf(fields) };
}

function fieldsOf(batch: PushBatch, profile: MiProfile, given: { own: Fields; isHanded: boolean }): Fields {
  const { own, isHanded } = given;
  const fields: Fields = {
    registration_id: batch.registrationIds.join(','),
    ...packageField(profile),
    payload: writeJson(batch.message.data),
    pass_through: isHanded ? '1' : '0',
    time_to_live: '',
    'extra.jobkey': jobKey(batch.pushId),
    ...(isHanded ? {} : noticeFields(batch, profile)),
    ...(isHanded ? {} : tapFields(batch, profile, own)),
    ...receiptFields(batch),
    ...own,
  };
  const hasChannel = Boolean(fields['extra.channel_id']);
  const longest = hasChannel || isHanded ? MAX_TTL_MS : MAX_PUBLIC_TTL_MS;
  return {
    ...(hasChannel && !isHanded ? templateFields(profile, own) : {}),
    ...fields,
    time_to_live: own['time_to_live'] ?? String(Math.min(Math.max(1, Math.floor(batch.ttlMs)), longest)),
  };
}

/** Without it the vendor goes by the secret, which is of one app. */
export const packageField = ({ packageName }: Pick<MiProfile, 'packageName'>): Fields =>
  packageName === undefined ? {} : { restricted_package_name: packageName };

function noticeFields(batch: PushBatch, profile: MiProfile): Fields {
  const { message, app } = batch;
  const channelId = message.notificationChannel ?? profile.channelId;
  return {
    title: message.title || app.name,
    description: message.alert,
    notify_type: '-1',
    notify_id: String(replaceKey(batch)),
    ...(channelId === undefined ? {} : { 'extra.channel_id': channelId }),
    ...soundField(message),
  };
}

/** Xiaomi push, pId=1856 (2024-08-14): a notification that does not say what a tap opens can no longer be used. */
function tapFields({ message, app }: PushBatch, { tap }: MiProfile, own: Fields): Fields {
  if (own['extra.notify_effect'] || tap === 'receiver') return {};
  if (tap !== 'page') return { 'extra.notify_effect': '1' };
  return { 'extra.notify_effect': '2', 'extra.intent_uri': tapIntent(app.intentHost, message.attributes) };
}

/** A template belongs to a channel; the variables of the profile belong to its own template. */
function templateFields({ templateId, templateParam }: MiProfile, own: Fields): Fields {
  const isOwn = own['extra.template_id'] !== undefined && own['extra.template_id'] !== templateId;
  if (templateId === undefined || isOwn) return {};
  return {
    'extra.template_id': templateId,
    ...(templateParam === undefined ? {} : { 'extra.template_param': templateParam }),
  };
}

const templateNotes = (fields: Fields, { templateId }: MiProfile): readonly string[] =>
  templateId !== undefined && fields['pass_through'] === '0' && !fields['extra.channel_id']
    ? ['template: left out, it needs a channel']
    : [];

const warningNotes = (message: ChannelMessage, profile: MiProfile): readonly string[] =>
  warningsFor(message, profile).map(({ path, message: words }) => `${path}: ${words}`);

const textsOf = ({ pass_through: isHanded, title, description }: Fields) =>
  isHanded === '1' ? {} : shownAs(title, description);

/** A template brings texts of its own. */
const lacksText = (fields: Fields): boolean =>
  fields['extra.template_id'] === undefined && (fields['description'] ?? '').trim() === '';

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
  return hexDigest('sha256', pushId).slice(0, 20);
}

function fitTexts(fields: Fields): boolean {
  const title = fit(fields['title'] ?? '', MAX_TITLE);
  const description = fit(fields['description'] ?? '', MAX_DESCRIPTION);
  fields['title'] = title.text;
  fields['description'] = description.text;
  return title.truncated || description.truncated;
}
