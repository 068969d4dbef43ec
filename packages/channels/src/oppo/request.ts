import {
  contentKey,
  fit,
  given,
  NO_CHANNEL_NOTE,
  replaceKey,
  reservedNotes,
  withoutChannelName,
  type Composed,
  type PushBatch,
} from '@pushfleet/channel-kit';
import { type ChannelMessage, type JsonObject, writeJson } from '@pushfleet/domain';
import { type OppoProfile } from './profile';

export const MAX_BATCH = 1000;

/** OPPO open platform, "Notification fields", page 11236. */
const POINTS = { title: 50, sub_title: 10, content: 50 } as const;
const LONG_TEXT_POINTS = 128;
const LONG_TEXT_STYLE = 2;
const PICTURE_STYLE = 3;
const MAX_TTL_S = 864_000;
export const CALLBACK_URL_BYTES = 200;
/** Of `action_parameters`, in characters: the only limit of size that the vendor documents. */
export const PARAMETERS_POINTS = 4000;

export interface Notification extends Composed {
  readonly fields: JsonObject;
}

/** The name of the push's channel comes along where it fits. */
export function notificationOf(batch: PushBatch, profile: OppoProfile): Notification {
  const named = build(batch, profile);
  const unnamed = isTooLarge(named) ? withoutChannelName(batch.message) : undefined;
  if (!unnamed) return named;
  const { notes, ...rest } = build({ ...batch, message: unnamed }, profile);
  return { ...rest, notes: [...notes, NO_CHANNEL_NOTE] };
}

function build(batch: PushBatch, profile: OppoProfile): Notification {
  const { message, receiptUrl } = batch;
  const fitted = fitTexts({
    style: styleOf(message),
    title: message.title || batch.app.name,
    content: message.alert,
    click_action_type: 0,
    ...given('action_parameters', actionParameters(message)),
    off_line: true,
    off_line_ttl: ttlSeconds(batch.ttlMs),
    ...given('channel_id', message.notificationChannel ?? profile.channelId),
    ...given('category', profile.category),
    notify_id: replaceKey(batch),
    ...badgeFields(message.badge),
    ...message.section,
    ...given('call_back_url', callbackUrl(receiptUrl)),
    call_back_parameter: batch.pushId,
  });
  const isUnreported = receiptUrl !== undefined && callbackUrl(receiptUrl) === undefined;
  const notes = isUnreported ? [NO_RECEIPTS_NOTE] : [];
  return { ...fitted, notes: [...notes, ...reservedNotes(message)] };
}

const NO_RECEIPTS_NOTE = `receipts: none asked for, the address is over ${CALLBACK_URL_BYTES} bytes`;

/** A text over the limit of the standard style fits the long one, which the device shows when the notification is opened. */
const styleOf = ({ alert }: ChannelMessage): number => (fit(alert, POINTS.content).truncated ? LONG_TEXT_STYLE : 1);

function fitTexts(fields: JsonObject): Omit<Notification, 'notes'> {
  const limits = fields['style'] === LONG_TEXT_STYLE ? { ...POINTS, content: LONG_TEXT_POINTS } : POINTS;
  const texts: Record<string, string> = {};
  const cut: string[] = [];
  for (const [name, max] of Object.entries(limits)) {
    const value = fields[name];
    if (typeof value !== 'string') continue;
    const { text, truncated } = fit(value, max);
    texts[name] = text;
    if (truncated) cut.push(name);
  }
  return { fields: { ...fields, ...texts }, cut };
}

const actionParameters = ({ attributes }: ChannelMessage): string | undefined =>
  Object.keys(attributes).length === 0 ? undefined : writeJson(attributes);

const ttlSeconds = (ttlMs: number): number => Math.min(Math.max(Math.floor(ttlMs / 1000), 1), MAX_TTL_S);

const callbackUrl = (url: string | undefined): string | undefined =>
  url !== undefined && Buffer.byteLength(url) <= CALLBACK_URL_BYTES ? url : undefined;

function badgeFields(badge: ChannelMessage['badge']): JsonObject {
  if (badge === undefined) return {};
  return badge === 'Increment' ? { badge_operation_type: 1 } : { badge_operation_type: 0, badge_message_count: badge };
}

/** Whether the attributes are more than the vendor takes. */
export function isTooLarge({ fields }: Notification): boolean {
  const parameters = fields['action_parameters'];
  return typeof parameters === 'string' && fit(parameters, PARAMETERS_POINTS).truncated;
}

/** Whether the notification lacks a text, so that the vendor would refuse it; a template brings its own. */
export function lacksText({ fields }: Notification): boolean {
  const { content, private_msg_template_id: template } = fields;
  return template === undefined && (typeof content !== 'string' || content.trim() === '');
}

export type Road = 'unicast' | 'unicast-batch' | 'broadcast';

/** Messages of a private channel may not be broadcast, and pictures only may. */
export function roadOf({ fields }: Notification, devices: number): Road {
  if (fields['private_msg_template_id'] !== undefined) return devices === 1 ? 'unicast' : 'unicast-batch';
  const hasPicture = fields['style'] === PICTURE_STYLE || fields['small_picture_id'] !== undefined;
  return devices === 1 && !hasPicture ? 'unicast' : 'broadcast';
}

export type Form = Readonly<Record<string, string>>;

export function unicastForm({ fields }: Notification, batch: PushBatch): Form {
  const write = messageWriter(fields, batch.batchId);
  return { message: write(batch.registrationIds[0] ?? '') };
}

export function unicastBatchForm({ fields }: Notification, batch: PushBatch): Form {
  return { messages: `[${batch.registrationIds.map(messageWriter(fields, batch.batchId)).join(',')}]` };
}

/** The notification is the same for every device and written out once. */
function messageWriter(fields: JsonObject, appMessageId: string): (target: string) => string {
  const notification = writeJson({ app_message_id: appMessageId, ...fields });
  const rest = `"verify_registration_id":false,"notification":${notification}`;
  return (target) => `{"target_type":2,"target_value":${writeJson(target)},${rest}}`;
}

export function saveForm({ fields }: Notification, appMessageId: string): Form {
  const texts = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : writeJson(value),
  ]);
  return { app_message_id: appMessageId, ...Object.fromEntries(texts) };
}

export function broadcastForm(messageId: string, registrationIds: readonly string[]): Form {
  return { message_id: messageId, target_type: '2', target_value: registrationIds.join(';') };
}

/** The same for every page of a push that may share a saved message: its life shrinks from page to page and is left out. */
export function savedMessageKey({ fields }: Notification, pushId: string): string {
  const { off_line_ttl: _, ...content } = fields;
  return contentKey(pushId, content);
}
