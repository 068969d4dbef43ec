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

const TARGETS = [
  ...['token', 'tokens', 'topic', 'condition', 'registration_id', 'registration_ids', 'regId', 'regIds', 'pushIds'],
  'callback',
];

/** The vendor hands these to the app as they are. */
const APP_DATA: ReadonlySet<string> = new Set(['data', 'android.data']);

/** What shared code reads from any section. */
const COMMON = new Set(['alert', 'title', 'silent', 'sound']);

/** Short spellings: where the vendor wants a field that a sender may write directly into the section. */
const PLACES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    importance: ['android', 'notification'],
    clickAction: ['android', 'notification'],
    targetUserType: ['android'],
  }),
);

/** Brings every accepted form into one: common fields, and the vendor's own body. */
export function parseSection(section: JsonObject): JsonObject {
  refuseKeys(section, TARGETS, APP_DATA);
  const common: Record<string, Json> = {};
  let own: JsonObject = {};
  for (const [key, value] of Object.entries(section)) {
    if (COMMON.has(key) || (key === 'badge' && !isJsonObject(value))) common[key] = value;
    else own = merge(own, partOf(key, value));
  }
  checkBody(own);
  return { ...common, ...own };
}

function partOf(key: string, value: Json): JsonObject {
  if (key === 'action') return { android: { notification: { clickAction: ownAction(value) } } };
  if (key === 'badge') return { android: { notification: { badge: value } } };
  return (PLACES.get(key) ?? []).reduceRight<JsonObject>((inner, part) => ({ [part]: inner }), { [key]: value });
}

/** The vendor's action string, or a click action spelled out. */
function ownAction(value: Json): JsonObject {
  if (typeof value === 'string') return { type: 1, action: value };
  if (!isJsonObject(value)) throw new SectionProblem('action: must be a string or an object');
  return value;
}

function checkBody(body: JsonObject): void {
  requireHttps(objectAt(body['notification'], 'notification')['image'], 'notification.image');
  const android = objectAt(body['android'], 'android');
  const notification = objectAt(android['notification'], 'android.notification');
  requireHttps(notification['image'], 'android.notification.image');
  requireFewer(notification['buttons'], MAX_BUTTONS, 'android.notification.buttons');
  if (notification['clickAction'] === undefined) return;
  checkTap(objectAt(notification['clickAction'], 'android.notification.clickAction'), 'clickAction');
}

/** Honor "Push Kit: downlink message", 2024-10-11. */
const MAX_BUTTONS = 3;

/** Whole, because their fields exclude each other. */
const WHOLE = new Set(['clickAction', 'badge']);

/** Lays `over` upon `base`, object by object; a tap or a badge replaces the other one. */
export const merge = (base: JsonObject, over: JsonObject): JsonObject => layOver(base, over, WHOLE);
