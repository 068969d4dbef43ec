import {
  checkTap,
  layOver,
  objectAt,
  refuseKeys,
  requireFewer,
  requireHttps,
  SectionProblem,
} from '@pushfleet/channel-kit';
import { isJsonObject, type Json, type JsonObject } from '@pushfleet/domain';
import { fromLegacy } from './legacy';

const TARGETS = [
  ...['token', 'tokens', 'topic', 'condition', 'registration_id', 'registration_ids', 'regId', 'regIds', 'pushIds'],
  ...['receipt_id', 'callback'],
];

/** The vendor hands these to the app as they are. */
const APP_DATA: ReadonlySet<string> = new Set([
  'data',
  'message.data',
  'message.android.data',
  'android.data',
  'msg.body',
]);

/** What shared code reads from any section. */
const COMMON = new Set(['alert', 'title', 'silent', 'sound']);

/** Short spellings: where the vendor wants a field that a sender may write directly into the section. */
const PLACES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    category: ['android'],
    urgency: ['android'],
    channel_id: ['android', 'notification'],
    importance: ['android', 'notification'],
    foreground_show: ['android', 'notification'],
    click_action: ['android', 'notification'],
  }),
);

/** Brings every accepted form into one: common fields, and the vendor's v1 message under `message`. */
export function parseSection(section: JsonObject): JsonObject {
  refuseKeys(section, TARGETS, APP_DATA);
  const common: Record<string, Json> = {};
  let message: JsonObject = objectAt(section['message'], 'message');
  for (const [key, value] of Object.entries(section)) {
    if (COMMON.has(key) || (key === 'badge' && !isJsonObject(value))) common[key] = value;
    else message = merge(partOf(key, value, section), message);
  }
  if (isPassThroughLegacy(section)) common['silent'] = true;
  checkMessage(message);
  return { ...common, ...(Object.keys(message).length > 0 ? { message } : {}) };
}

function partOf(key: string, value: Json, section: JsonObject): JsonObject {
  if (key === 'message' || key === 'ext') return {};
  if (key === 'msg') return fromLegacy({ msg: value, ext: section['ext'] });
  if (key === 'action') return { android: { notification: { click_action: ownAction(value) } } };
  if (key === 'badge') return { android: { notification: { badge: value } } };
  return (PLACES.get(key) ?? []).reduceRight<JsonObject>((inner, part) => ({ [part]: inner }), { [key]: value });
}

/** The vendor's action string, or its older `{type, param}` form. */
function ownAction(value: Json): JsonObject {
  if (typeof value === 'string') return { type: 1, action: value };
  if (!isJsonObject(value)) throw new SectionProblem('action: must be a string or an object');
  return isJsonObject(value['param']) ? { ...value['param'], type: value['type'] ?? 1 } : value;
}

const isPassThroughLegacy = ({ msg }: JsonObject): boolean => isJsonObject(msg) && msg['type'] === 1;

function checkMessage(message: JsonObject): void {
  const common = objectAt(message['notification'], 'message.notification');
  const android = objectAt(message['android'], 'message.android');
  const notification = objectAt(android['notification'], 'message.android.notification');
  requireHttps(common['image'], 'message.notification.image');
  checkNotice(notification, 'message.android.notification');
  if (notification['click_action'] === undefined) return;
  checkTap(objectAt(notification['click_action'], 'message.android.notification.click_action'), 'click_action');
}

/** Huawei "Push Kit REST API: sending messages, v1/v2", copy dated 2025-08. */
const MAX_INBOX_LINES = 5;
const MAX_BUTTONS = 3;

function checkNotice(notification: JsonObject, path: string): void {
  requireHttps(notification['image'], `${path}.image`);
  requireFewer(notification['inbox_content'], MAX_INBOX_LINES, `${path}.inbox_content`);
  requireFewer(notification['buttons'], MAX_BUTTONS, `${path}.buttons`);
}

/** Whole, because their fields exclude each other. */
const WHOLE = new Set(['click_action', 'badge']);

/** Lays `over` upon `base`, object by object; a tap or a badge replaces the other one. */
export const merge = (base: JsonObject, over: JsonObject): JsonObject => layOver(base, over, WHOLE);
