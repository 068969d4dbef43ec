import { checked } from './checked';
import { InvalidInput } from './invalid-input';
import type { Json, JsonObject } from './json';
import { OWN_SECTION, type PushContent } from './message';
import { pushBadgeSchema, pushDataSchema, pushSectionSchema } from './push-fields';
import { OWN_CHANNEL } from './route';

/** By channel name: checks and normalises a section; what is wrong is told with the path where the sender put it. */
export type SectionParsers = Readonly<Record<string, (section: JsonObject, path: string) => JsonObject>>;

/** Sections of platforms that have no channel here; accepted and kept out of the custom attributes. */
export const OTHER_SECTIONS = ['ios', 'fcm', 'wp'];

/**
 * The message part of a push request: common data and sections apart, every common field of the right type. `place` is what the
 * sender calls the data.
 */
export function parseContent(body: JsonObject, parsers: SectionParsers, place = 'data'): PushContent {
  const data = withBadge(checked(pushDataSchema, body['data'] ?? undefined, place) as JsonObject, body);
  const bySection = parsersBySection(parsers);
  const names = new Set([...Object.keys(bySection), ...OTHER_SECTIONS]);
  const within = pick(data, names);
  const beside = pick(body, new Set([...names].filter((name) => !Object.hasOwn(within, name))));
  const sections = { ...parseSections(beside, bySection), ...parseSections(within, bySection, `${place}.`) };
  const common = Object.fromEntries(Object.entries(data).filter(([key]) => !names.has(key)));
  const saysSomething = ['alert', 'action', 'silent'].some((key) => key in common) || Object.keys(sections).length > 0;
  if (!saysSomething)
    throw new InvalidInput('required-field', `${place}: needs alert, action, silent or a section of a platform`);
  return {
    data: common,
    sections,
    ...notificationChannelOf(data['_notificationChannel'] ?? body['_notificationChannel']),
  };
}

/** LeanCloud hybrid push guide, "Honor: badge": a keyword of the push, which senders put beside the data or into it. */
function withBadge(data: JsonObject, body: JsonObject): JsonObject {
  if (body['badge'] === undefined) return data;
  const { badge } = checked(pushBadgeSchema, body) as { readonly badge: Json };
  return data['badge'] === undefined ? { ...data, badge } : data;
}

const asItIs = (section: JsonObject): JsonObject => section;

/** The own channel's section has a name of its own, so that an attribute may be called like the channel. */
function parsersBySection({ [OWN_CHANNEL]: own = asItIs, ...vendors }: SectionParsers): SectionParsers {
  return { [OWN_SECTION]: own, ...vendors };
}

function pick(source: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(source).filter(([key, value]) => names.has(key) && value !== null));
}

function parseSections(found: JsonObject, parsers: SectionParsers, place = ''): Record<string, JsonObject> {
  const sections: Record<string, JsonObject> = {};
  for (const [name, section] of Object.entries(found)) {
    const path = place + name;
    const checkedSection = checked(pushSectionSchema, section, path) as JsonObject;
    sections[name] = parsers[name]?.(checkedSection, path) ?? checkedSection;
  }
  return sections;
}

const notificationChannelOf = (value: Json | undefined): { notificationChannel?: string } =>
  typeof value === 'string' ? { notificationChannel: value } : {};
