import {
  androidMerge,
  checkAndroid,
  isCommon,
  objectAt,
  placed,
  refuseKeys,
  tapOf,
  type Places,
} from '@pushfleet/channel-kit';
import { isJsonObject, type Json, type JsonObject } from '@pushfleet/domain';
import { fromLegacy } from './legacy';

const TARGETS = [
  ...['token', 'tokens', 'topic', 'condition', 'registration_id', 'registration_ids', 'regId', 'regIds', 'pushIds'],
  ...['receipt_id', 'callback'],
];

/** The vendor hands these to the app as they are. */
export const APP_DATA: ReadonlySet<string> = new Set([
  'data',
  'message.data',
  'message.android.data',
  'android.data',
  'msg.body',
]);

/** The field that says what a tap does. */
export const TAP = 'click_action';

/** The places of fields that a sender may write directly into the section. */
const PLACES: Places = {
  category: ['android'],
  urgency: ['android'],
  channel_id: ['android', 'notification'],
  importance: ['android', 'notification'],
  foreground_show: ['android', 'notification'],
  click_action: ['android', 'notification'],
};

/** Brings every accepted form into one: common fields, and the vendor's v1 message under `message`. */
export function parseSection(section: JsonObject): JsonObject {
  refuseKeys(section, TARGETS, APP_DATA);
  const common: Record<string, Json> = {};
  let message: JsonObject = objectAt(section['message'], 'message');
  for (const [key, value] of Object.entries(section)) {
    if (isCommon(key, value)) common[key] = value;
    else message = merge(partOf(key, value, section), message);
  }
  if (isPassThroughLegacy(section)) common['silent'] = true;
  checkAndroid(message, WORDS);
  return { ...common, ...(Object.keys(message).length > 0 ? { message } : {}) };
}

function partOf(key: string, value: Json, section: JsonObject): JsonObject {
  if (key === 'message' || key === 'ext') return {};
  if (key === 'msg') return fromLegacy({ msg: value, ext: section['ext'] });
  if (key === 'action') return { android: { notification: { click_action: ownAction(value) } } };
  if (key === 'badge') return { android: { notification: { badge: value } } };
  return placed(PLACES, key, value);
}

/** The vendor's action string, or its older `{type, param}` form. */
function ownAction(value: Json): JsonObject {
  const tap = tapOf(value);
  return isJsonObject(tap['param']) ? { ...tap['param'], type: tap['type'] ?? 1 } : tap;
}

const isPassThroughLegacy = ({ msg }: JsonObject): boolean => isJsonObject(msg) && msg['type'] === 1;

/** Huawei "Push Kit REST API: sending messages, v1/v2", copy dated 2025-08. */
const WORDS = { tap: TAP, prefix: 'message.', most: { inbox_content: 5, buttons: 3 } } as const;

/** Lays `over` upon `base`. */
export const merge = androidMerge(TAP);
