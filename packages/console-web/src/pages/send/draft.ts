import type { Schemas } from '../../api/client';
import { readJson, writeJson } from '../../api/exact-json';
import { EMPTY_CONDITION, whereOf, type Condition } from './conditions';
import { momentOf } from './schedule';

export type PushBody = Schemas['Push'];

export const AUDIENCES = ['everybody', 'byChannels', 'byConditions', 'byIds', 'byWhere'] as const;
export const LISTS = ['installation_ids', 'object_ids'] as const;

/** What somebody writes: every text as it was typed. */
export interface Draft {
  readonly title: string;
  readonly text: string;
  readonly badge: string;
  readonly sound: string;
  readonly action: string;
  readonly isSilent: boolean;
  /** JSON. */
  readonly more: string;
  readonly audience: (typeof AUDIENCES)[number];
  readonly channels: readonly string[];
  readonly conditions: readonly Condition[];
  readonly list: (typeof LISTS)[number];
  readonly ids: string;
  /** JSON. */
  readonly where: string;
  /** As an input for date and time has it; empty: at once. */
  readonly sendAt: string;
  readonly isLater: boolean;
  readonly expiresAfter: string;
  /** Of this very push: repeated with it, it is sent once. */
  readonly reqId: string;
  /** When it was sent without an answer for the first time, in ms since the epoch. */
  readonly unclearAt?: number;
  /** The same while its answer may still come. */
  readonly askedAt?: number;
  /** Whom to fill in once it is sent, as the address asks for them; empty: nobody. */
  readonly next: string;
}

export const emptyDraft = (): Draft => ({
  title: '',
  text: '',
  badge: '',
  sound: '',
  action: '',
  isSilent: false,
  more: '',
  audience: 'everybody',
  channels: [],
  conditions: [EMPTY_CONDITION],
  list: 'installation_ids',
  ids: '',
  where: '',
  sendAt: '',
  isLater: false,
  expiresAfter: '',
  next: '',
  reqId: freshReqId(),
});

/** Sixteen hexadecimal digits; `randomUUID` is missing where the console is reached without TLS. */
export const freshReqId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a text is the JSON of; undefined when it is none, and an empty object for no text. */
function valueIn(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The same, when it is an object. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = valueIn(text);
  return isObject(value) ? value : undefined;
}

/** A condition, or a list of those that all have to hold. */
export function conditionIn(text: string): object | undefined {
  const value = valueIn(text);
  return Array.isArray(value) || isObject(value) ? value : undefined;
}

/** Each once, in their order. */
export const idsIn = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(/[\s,;]+/)
      .map((id) => id.replace(/^"|"$/g, ''))
      .filter((id) => id !== ''),
  ),
];

/** What a list of ids has as it is. */
export const isPlainId = (id: unknown): id is string => typeof id === 'string' && idsIn(id)[0] === id;

const given = (name: string, value: string): Readonly<Record<string, string>> =>
  value === '' ? {} : { [name]: value };

const badgeOf = (text: string): Readonly<Record<string, unknown>> =>
  text.trim() === '' ? {} : { badge: /^\d{1,6}$/.test(text.trim()) ? Number(text) : text.trim() };

function dataOf(draft: Draft, more: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return {
    ...more,
    ...given('alert', draft.text),
    ...given('title', draft.title),
    ...given('sound', draft.sound),
    ...given('action', draft.action),
    ...badgeOf(draft.badge),
    ...(draft.isSilent ? { silent: true } : {}),
  };
}

/** To whom; undefined while nobody is named. */
function audienceOf(draft: Draft): Readonly<Record<string, unknown>> | undefined {
  const { audience, channels, conditions, list, ids, where } = draft;
  const named = idsIn(ids);
  const asked = conditionIn(where);
  const conditional = whereOf(conditions);
  const audiences: Readonly<Record<Draft['audience'], Readonly<Record<string, unknown>> | undefined>> = {
    everybody: {},
    byChannels: channels.length > 0 ? { channels } : undefined,
    byConditions: conditional === undefined ? undefined : { where: conditional },
    byIds: named.length > 0 ? { [list]: named } : undefined,
    byWhere: asked === undefined || where.trim() === '' ? undefined : { where: asked },
  };
  return audiences[audience];
}

/** What is no number of hours goes to the API as it is, which has its own words for it. */
function expiryOf(typed: string): Readonly<Record<string, unknown>> {
  if (typed.trim() === '') return {};
  const seconds = Math.round(Number(typed) * 3600);
  return { expiration_interval: seconds > 0 ? seconds : typed };
}

const SAYS = ['alert', 'action', 'silent'];

/** The push as the API takes it, without its time and its id; undefined while something of it is missing. */
export function messageOf(draft: Draft): PushBody | undefined {
  const more = objectIn(draft.more);
  if (more === undefined) return undefined;
  const data = dataOf(draft, more);
  const says = SAYS.some((field) => field in data) || Object.values(more).some((value) => typeof value === 'object');
  if (!says) return undefined;
  return { data, ...expiryOf(draft.expiresAfter) } as PushBody;
}

/** The same with its audience and its time. */
export function bodyOf(draft: Draft): PushBody | undefined {
  const [message, audience] = [messageOf(draft), audienceOf(draft)];
  if (!message || !audience) return undefined;
  const at = draft.isLater ? momentOf(draft.sendAt) : undefined;
  if (draft.isLater && !at) return undefined;
  return { ...message, ...audience, ...(at ? { push_time: at.toISOString() } : {}) };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const jsonOf = (value: object): string => (Object.keys(value).length === 0 ? '' : writeJson(value, 2));

const LIST_OF: Readonly<Record<string, Draft['list']>> = { installationId: 'installation_ids', objectId: 'object_ids' };

/** The ids that a condition asks for, when it asks for nothing else: a list of them may be longer than a condition. */
function idsAskedFor(where: Readonly<Record<string, unknown>>): Pick<Draft, 'list' | 'ids'> | undefined {
  const [[field, asked] = ['', ''], ...others] = Object.entries(where);
  // Whoever has the app key chooses the fields: one may be called as something that every object has.
  const list = Object.hasOwn(LIST_OF, field) ? LIST_OF[field] : undefined;
  if (list === undefined || others.length > 0) return undefined;
  const { $in: listed = [asked], ...more }: { readonly $in?: unknown } = isObject(asked) ? asked : {};
  if (Object.keys(more).length > 0 || !Array.isArray(listed) || !listed.every(isPlainId)) return undefined;
  return { list, ids: listed.join('\n') };
}

/** Whom a push was for. When its record does not tell, nobody is chosen, so that nothing can be sent before somebody is. */
function audienceAskedFor({ where, named }: Pick<Schemas['PushRecord'], 'where' | 'named'>): Partial<Draft> {
  if (named === true) return { audience: 'byIds' };
  if (Object.keys(where).length === 0) return {};
  const ids = idsAskedFor(where);
  return ids ? { audience: 'byIds', ...ids } : { audience: 'byWhere', where: jsonOf(where) };
}

/** Everything of a push that was sent, to be sent again; its message and its audience as the record has them. */
export function draftOf({ msg, ...toWhom }: Pick<Schemas['PushRecord'], 'msg' | 'where' | 'named'>): Draft {
  const { title, alert, badge, sound, action, silent, ...more } = msg;
  return {
    ...emptyDraft(),
    title: text(title),
    text: text(alert),
    sound: text(sound),
    action: text(action),
    badge: badge === undefined ? '' : String(badge),
    isSilent: silent === true,
    more: jsonOf(typeof alert === 'object' && alert !== null ? { ...more, alert } : more),
    ...audienceAskedFor(toWhom),
  };
}

/** Nothing would be lost with it. */
export const isEmpty = ({ reqId, ...draft }: Draft): boolean =>
  JSON.stringify({ ...emptyDraft(), ...draft, reqId }) === JSON.stringify({ ...emptyDraft(), reqId });
