import { InvalidInput } from './invalid-input';
import { isJsonObject, type Json, type JsonObject } from './json';
import { OWN_SECTION, type PushContent } from './message';
import { OWN_CHANNEL } from './route';

/** By channel name: checks and normalises a section. */
export type SectionParsers = Readonly<Record<string, (section: JsonObject) => JsonObject>>;

/** Sections of platforms that have no channel here; accepted and kept out of the custom attributes. */
const OTHER_SECTIONS = ['ios', 'fcm', 'wp'];

/** The message part of a push request: common data and sections apart, every common field of the right type. */
export function parseContent(body: JsonObject, parsers: SectionParsers): PushContent {
  const data = body['data'];
  if (data === undefined || data === null) throw new InvalidInput('required-field', 'data: is required');
  if (!isJsonObject(data)) throw new InvalidInput('wrong-type', 'data: must be an object');
  const bySection = parsersBySection(parsers);
  const names = new Set([...Object.keys(bySection), ...OTHER_SECTIONS]);
  const sections = parseSections({ ...pick(body, names), ...pick(data, names) }, bySection);
  const common = Object.fromEntries(Object.entries(data).filter(([key]) => !names.has(key)));
  checkCommonFields(common, 'data.');
  const saysSomething = ['alert', 'action', 'silent'].some((key) => key in common) || Object.keys(sections).length > 0;
  if (!saysSomething)
    throw new InvalidInput('required-field', 'data: needs alert, action, silent or a section of a platform');
  return {
    data: common,
    sections,
    ...parseNotificationChannel(data['_notificationChannel'] ?? body['_notificationChannel']),
  };
}

const asItIs = (section: JsonObject): JsonObject => section;

/** The own channel's section has a name of its own, so that an attribute may be called like the channel. */
function parsersBySection({ [OWN_CHANNEL]: own = asItIs, ...vendors }: SectionParsers): SectionParsers {
  return { [OWN_SECTION]: own, ...vendors };
}

function pick(source: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(source).filter(([key, value]) => names.has(key) && value !== null));
}

function parseSections(found: JsonObject, parsers: SectionParsers): Record<string, JsonObject> {
  const sections: Record<string, JsonObject> = {};
  for (const [name, section] of Object.entries(found)) {
    if (!isJsonObject(section)) throw new InvalidInput('wrong-type', `${name}: must be an object`);
    checkCommonFields(section, `${name}.`, isJsonObject(section['badge']) ? WITHOUT_BADGE : COMMON_FIELDS);
    sections[name] = parsers[name]?.(section) ?? section;
  }
  return sections;
}

type Rule = readonly [field: string, holds: (value: Json) => boolean, expectation: string];

const COMMON_FIELDS: readonly Rule[] = [
  ['alert', (value) => typeof value === 'string' || isJsonObject(value), 'a string'],
  ['title', (value) => typeof value === 'string', 'a string'],
  ['silent', (value) => typeof value === 'boolean', 'a boolean'],
  ['badge', isBadge, 'an integer from 0 to 99 or "Increment"'],
];

/** A section may carry the vendor's own badge object. */
const WITHOUT_BADGE = COMMON_FIELDS.filter(([field]) => field !== 'badge');

function checkCommonFields(data: JsonObject, path: string, rules: readonly Rule[] = COMMON_FIELDS): void {
  for (const [field, holds, expectation] of rules) {
    const value = data[field];
    if (value !== undefined && !holds(value))
      throw new InvalidInput('wrong-type', `${path}${field}: must be ${expectation}`);
  }
}

function isBadge(badge: Json): boolean {
  return badge === 'Increment' || (typeof badge === 'number' && Number.isInteger(badge) && badge >= 0 && badge <= 99);
}

function parseNotificationChannel(value: Json | undefined): { notificationChannel?: string } {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'string') throw new InvalidInput('wrong-type', '_notificationChannel: must be a string');
  return { notificationChannel: value };
}
