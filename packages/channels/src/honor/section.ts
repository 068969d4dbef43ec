import { refuseKeys, SectionProblem } from '@pushfleet/channel-kit';
import { isJsonObject, type Json, type JsonObject } from '@pushfleet/domain';

const TARGETS = [
  ...['token', 'tokens', 'topic', 'condition', 'registration_id', 'registration_ids', 'regId', 'regIds', 'pushIds'],
  'callback',
];

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
  refuseKeys(section, TARGETS);
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
  objectAt(body['notification'], 'notification');
  const android = objectAt(body['android'], 'android');
  const notification = objectAt(android['notification'], 'android.notification');
  if (notification['clickAction'] === undefined) return;
  checkClick(objectAt(notification['clickAction'], 'android.notification.clickAction'));
}

/** Fields of which a click action of this type needs one. */
const INTENT = ['intent', 'action'];
const COMPANIONS: ReadonlyMap<Json, readonly string[]> = new Map<Json, readonly string[]>([
  ...[1, '1'].map((type) => [type, INTENT] as const),
  ...[2, '2'].map((type) => [type, ['url']] as const),
]);

function checkClick(click: JsonObject): void {
  const needed = COMPANIONS.get(click['type'] ?? 1) ?? [];
  if (needed.length === 0 || needed.some((field) => typeof click[field] === 'string')) return;
  throw new SectionProblem(`clickAction.${needed.join(' or clickAction.')}: is required for this type`);
}

function objectAt(value: Json | undefined, path: string): JsonObject {
  if (value === undefined) return {};
  if (!isJsonObject(value)) throw new SectionProblem(`${path}: must be an object`);
  return value;
}

/** Lays `over` upon `base`, object by object; a click action is one whole, because its fields exclude each other. */
export function merge(base: JsonObject, over: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    const isWhole = key === 'clickAction' || !isJsonObject(value) || !isJsonObject(below);
    merged[key] = isWhole ? value : merge(below, value);
  }
  return merged;
}
