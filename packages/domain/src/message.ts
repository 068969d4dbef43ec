import { isJsonObject, type Json, type JsonObject } from './json';
import { OWN_CHANNEL } from './route';

/** What one channel is asked to show or hand over: the common data, overlaid by the channel's section. */
export interface ChannelMessage {
  /** Empty when the sender gave none; the channel then shows `appName`. */
  readonly title: string;
  readonly alert: string;
  readonly silent: boolean;
  /** Developer-defined attributes in the sender's order, without reserved keys. */
  readonly attributes: JsonObject;
  /** The data object without sections: what a pass-through message or an app-side receiver gets. */
  readonly data: JsonObject;
  /** Keys of the data that would be attributes but for their names, and are none. */
  readonly reservedNames?: readonly string[];
  /** The vendor's own parameters from the channel's section. */
  readonly section: JsonObject;
  readonly action?: string;
  readonly sound?: string;
  readonly badge?: number | 'Increment';
  readonly notificationChannel?: string;
  /** A notification takes the place of an earlier one of the same group, where the vendor can; absent: of none. */
  readonly group?: string;
}

/** The message part of a push request, as it is stored with the push. */
export interface PushContent {
  readonly data: JsonObject;
  /** Sections by channel name; those inside `data` have already won over top-level ones. */
  readonly sections: Readonly<Record<string, JsonObject>>;
  readonly notificationChannel?: string;
  /** What it belongs to on the device, a conversation for instance. */
  readonly group?: string;
}

/** What a message has on every channel. A section may restate these; everything else in it is the vendor's own. */
export const COMMON_NAMES: ReadonlySet<string> = new Set(['alert', 'title', 'silent', 'sound', 'badge', 'action']);
/** What other platforms read. */
const FOREIGN = new Set(['category', 'content-available', 'aps']);
/** Names of the service itself, beside all others that begin with the same character. */
const OWN_NAMES = new Set(['_channel', '_notificationChannel']);

/** Client libraries find the one channel of a push under this name. */
export const CHANNEL_ATTRIBUTE = '_channel';

export function customAttributes(data: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(data).filter(([key]) => !COMMON_NAMES.has(key) && !isReserved(key)));
}

const isReserved = (key: string): boolean => FOREIGN.has(key) || key.startsWith('_');

/** Keys of the data that a sender may have meant as attributes, and that no vendor channel takes for one. */
export const reservedNames = (data: JsonObject): readonly string[] =>
  Object.keys(data).filter((key) => isReserved(key) && !OWN_NAMES.has(key));

/** An object under such a key, a badge or an action for instance, is the vendor's own form of it. */
const isCommon = ([key, value]: [string, Json]): boolean =>
  COMMON_NAMES.has(key) && (key === 'alert' || !isJsonObject(value));

/** LeanCloud push REST guide: the section of the service's own channel is called `android`. */
export const OWN_SECTION = 'android';

/** `onlyChannel` is the one channel that the push is for; without it there is none, or several. */
export function messageFor(content: PushContent, channel: string, onlyChannel?: string): ChannelMessage {
  const section = content.sections[channel === OWN_CHANNEL ? OWN_SECTION : channel] ?? {};
  const overlay = Object.fromEntries(Object.entries(section).filter(isCommon));
  const named: JsonObject = onlyChannel === undefined ? {} : { [CHANNEL_ATTRIBUTE]: onlyChannel };
  const data = { ...content.data, ...overlay, ...(content.data[CHANNEL_ATTRIBUTE] === undefined ? named : {}) };
  const reserved = reservedNames(content.data);
  return {
    title: text(data['title']) || alertPart(data['alert'], 'title'),
    alert: alertPart(data['alert'], 'body'),
    silent: data['silent'] === true,
    attributes: { ...customAttributes(content.data), ...named },
    data,
    ...(reserved.length > 0 ? { reservedNames: reserved } : {}),
    section: Object.fromEntries(Object.entries(section).filter((entry) => !isCommon(entry))),
    ...optional('action', text(data['action'])),
    ...optional('sound', text(data['sound'])),
    ...badge(data['badge']),
    ...optional('notificationChannel', content.notificationChannel ?? ''),
    ...optional('group', content.group ?? ''),
  };
}

function alertPart(alert: Json | undefined, part: 'title' | 'body'): string {
  if (isJsonObject(alert)) return text(alert[part]);
  return part === 'body' ? text(alert) : '';
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

const optional = <K extends string>(key: K, value: string): { [P in K]?: string } =>
  value === '' ? {} : ({ [key]: value } as { [P in K]?: string });

const badge = (value: Json | undefined): { badge?: number | 'Increment' } =>
  typeof value === 'number' || value === 'Increment' ? { badge: value } : {};
