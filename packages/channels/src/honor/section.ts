import { refuseKeys, SectionProblem } from '@pushfleet/channel-kit';
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
  const { buttons } = notification;
  if (Array.isArray(buttons) && buttons.length > MAX_BUTTONS)
    throw new SectionProblem(`android.notification.buttons: at most ${MAX_BUTTONS}`);
  if (notification['clickAction'] === undefined) return;
  checkClick(objectAt(notification['clickAction'], 'android.notification.clickAction'));
}

/** Honor "Push Kit: downlink message", 2024-10-11. */
const MAX_BUTTONS = 3;

function requireHttps(url: Json | undefined, path: string): void {
  if (url === undefined || (typeof url === 'string' && url.startsWith('https://'))) return;
  throw new SectionProblem(`${path}: must be an https:// address, the vendor takes no other`);
}

/** Fields of which a click action of this type needs one. */
const INTENT = ['intent', 'action'];
const COMPANIONS: ReadonlyMap<Json, readonly string[]> = new Map<Json, readonly string[]>([
  ...[1, '1'].map((type) => [type, INTENT] as const),
  ...[2, '2'].map((type) => [type, ['url']] as const),
]);

function checkClick(click: JsonObject): void {
  const needed = COMPANIONS.get(click['type'] ?? 1) ?? [];
  if (needed[0] === 'url') requireHttps(click['url'] ?? '', 'clickAction.url');
  if (needed.length === 0 || needed.some((field) => typeof click[field] === 'string')) return;
  throw new SectionProblem(`clickAction.${needed.join(' or clickAction.')}: is required for this type`);
}

function objectAt(value: Json | undefined, path: string): JsonObject {
  if (value === undefined) return {};
  if (!isJsonObject(value)) throw new SectionProblem(`${path}: must be an object`);
  return value;
}

/** Whole, because their fields exclude each other. */
const WHOLE = new Set(['clickAction', 'badge']);

/** Lays `over` upon `base`, object by object; a tap or a badge replaces the other one. */
export function merge(base: JsonObject, over: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    const isWhole = WHOLE.has(key) || !isJsonObject(value) || !isJsonObject(below);
    merged[key] = isWhole ? value : merge(below, value);
  }
  return merged;
}
