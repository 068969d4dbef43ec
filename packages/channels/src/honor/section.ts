import { androidMerge, checkAndroid, isCommon, placed, refuseKeys, tapOf, type Places } from '@pushfleet/channel-kit';
import { type Json, type JsonObject } from '@pushfleet/domain';

const TARGETS = [
  ...['token', 'tokens', 'topic', 'condition', 'registration_id', 'registration_ids', 'regId', 'regIds', 'pushIds'],
  'callback',
];

/** The vendor hands these to the app as they are. */
export const APP_DATA: ReadonlySet<string> = new Set(['data', 'android.data']);

/** The field that says what a tap does. */
export const TAP = 'clickAction';

/** The places of fields that a sender may write directly into the section. */
const PLACES: Places = {
  importance: ['android', 'notification'],
  clickAction: ['android', 'notification'],
  targetUserType: ['android'],
};

/** Brings every accepted form into one: common fields, and the vendor's own body. */
export function parseSection(section: JsonObject): JsonObject {
  refuseKeys(section, TARGETS, APP_DATA);
  const common: Record<string, Json> = {};
  let own: JsonObject = {};
  for (const [key, value] of Object.entries(section)) {
    if (isCommon(key, value)) common[key] = value;
    else own = merge(own, partOf(key, value));
  }
  checkAndroid(own, WORDS);
  return { ...common, ...own };
}

function partOf(key: string, value: Json): JsonObject {
  if (key === 'action') return { android: { notification: { clickAction: tapOf(value) } } };
  if (key === 'badge') return { android: { notification: { badge: value } } };
  return placed(PLACES, key, value);
}

/** Honor "Push Kit: downlink message", 2024-10-11. */
const WORDS = { tap: TAP, prefix: '', most: { buttons: 3 } } as const;

/** Lays `over` upon `base`. */
export const merge = androidMerge(TAP);
