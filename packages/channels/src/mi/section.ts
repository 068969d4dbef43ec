import { refuseKeys, SectionProblem } from '@pushfleet/channel-kit';
import { isJsonObject, type Json, type JsonObject, writeJson } from '@pushfleet/domain';
import { templateParamOf } from './template';

const TARGETS = [
  ...['registration_id', 'registration_ids', 'regid', 'regids', 'alias', 'aliases', 'user_account', 'user_accounts'],
  ...['topic', 'topics', 'topic_op', 'restricted_package_name', 'token', 'condition', 'regIds', 'pushIds'],
];
const CALLBACKS = ['callback', 'callback.param', 'callback.type'];
const EXTRA_CALLBACKS = CALLBACKS.map((key) => `extra.${key}`);
const REFUSED = [...TARGETS, ...CALLBACKS, ...EXTRA_CALLBACKS];
/** Handed to the app: their keys are its own words, but for the vendor's callbacks among the extras. */
export const APP_DATA = new Set(['payload', 'extra']);

/** These restate the common data; they are not the vendor's fields. */
const COMMON = new Set(['alert', 'title', 'silent', 'sound', 'badge', 'action']);

const TEMPLATE_PARAM = 'extra.template_param';

/** What `notify_effect` needs beside it: 1 opens the app and needs nothing. */
const COMPANIONS: Readonly<Record<string, string | undefined>> = { 2: 'extra.intent_uri', 3: 'extra.web_uri' };

export function parseSection(section: JsonObject): JsonObject {
  refuseKeys(section, REFUSED, APP_DATA);
  refuseKeys(Object.fromEntries(extrasOf(section)), [...CALLBACKS, ...EXTRA_CALLBACKS], APP_DATA);
  checkTap(sectionFields(section));
  return section;
}

function checkTap(fields: Readonly<Record<string, string>>): void {
  const effect = fields['extra.notify_effect'] ?? '';
  if (!['', '1', '2', '3'].includes(effect)) throw new SectionProblem('extra.notify_effect: must be 1, 2 or 3');
  const companion = COMPANIONS[effect];
  if (companion !== undefined && !fields[companion])
    throw new SectionProblem(`${companion}: is required by notify_effect ${effect}`);
}

type Field = readonly [key: string, value: Json];

/** The members of an `extra` that is an object, each as the field that it is in the form. */
const extrasOf = ({ extra }: JsonObject): readonly Field[] =>
  isJsonObject(extra) ? Object.entries(extra).map(([name, item]) => [`extra.${name}`, item]) : [];

/** The section as form fields; `extra: {x: 1}` and `extra.x: 1` mean the same, and an empty extra means none. */
export function sectionFields(section: JsonObject): Record<string, string> {
  const named = Object.entries(section).flatMap((field): readonly Field[] =>
    field[0] === 'extra' && isJsonObject(field[1]) ? extrasOf(section) : [field],
  );
  const own = named.filter(([key, value]) => !COMMON.has(key) && !isNone(key, value));
  return Object.fromEntries(own.map(([key, value]) => [key, fieldText(key, value)]));
}

const isNone = (key: string, value: Json): boolean => value === null || (key.startsWith('extra.') && value === '');

/** A form holds text alone: what has parts is sent as JSON, as the vendor's documents show its own fields with parts. */
function fieldText(key: string, value: Json): string {
  if (key === TEMPLATE_PARAM) return templateText(key, value);
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? '1' : '0';
  return writeJson(value);
}

function templateText(key: string, value: Json): string {
  const read = templateParamOf(value);
  if ('text' in read) return read.text;
  throw new SectionProblem(`${key}: ${read.problem}`);
}
