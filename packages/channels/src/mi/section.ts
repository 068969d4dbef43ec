import { refuseKeys, SectionProblem } from '@pushfleet/channel-kit';
import { isJsonObject, type Json, type JsonObject } from '@pushfleet/domain';

const TARGETS = [
  ...['registration_id', 'registration_ids', 'regid', 'regids', 'alias', 'aliases', 'user_account', 'user_accounts'],
  ...['topic', 'topics', 'topic_op', 'restricted_package_name', 'token', 'condition', 'regIds', 'pushIds'],
];
const CALLBACKS = ['callback', 'callback.param', 'callback.type'];
const REFUSED = [...TARGETS, ...CALLBACKS, ...CALLBACKS.map((key) => `extra.${key}`)];

/** These restate the common data; they are not the vendor's fields. */
const COMMON = new Set(['alert', 'title', 'silent', 'sound', 'badge', 'action']);

export function parseSection(section: JsonObject): JsonObject {
  sectionFields(refuseKeys(section, REFUSED));
  return section;
}

/** The section as form fields; `extra: {x: 1}` and `extra.x: 1` mean the same. */
export function sectionFields(section: JsonObject): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [key, value] of Object.entries(section)) {
    if (COMMON.has(key)) continue;
    if (key === 'extra' && isJsonObject(value)) {
      for (const [name, item] of Object.entries(value)) fields[`extra.${name}`] = fieldText(`extra.${name}`, item);
    } else fields[key] = key === 'payload' && isJsonObject(value) ? JSON.stringify(value) : fieldText(key, value);
  }
  return fields;
}

function fieldText(key: string, value: Json): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? '1' : '0';
  throw new SectionProblem(`${key}: must be a string, a number or a boolean`);
}
