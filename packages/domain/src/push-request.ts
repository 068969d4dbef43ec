import type { z } from 'zod';
import { audienceOf, type Audience } from './audience';
import { checked } from './checked';
import { parseCql } from './cql';
import { DAY_MS } from './day-ms';
import { InvalidInput } from './invalid-input';
import { LAST_DATE_MS, lacksZone, parseWireDate, type WireDate } from './iso-date';
import type { Json, JsonObject } from './json';
import { LIMITS } from './limits';
import { OWN_SECTION, type PushContent } from './message';
import { misplacedKeys } from './misplaced-keys';
import { OTHER_SECTIONS, parseContent, type SectionParsers } from './push-content';
import { pushBodySchema } from './push-fields';
import { contentWarnings, type PushWarning } from './push-warnings';
import { unreadKeys } from './unread-keys';
import { vendorWarnings } from './vendor-warnings';
import { parseWhere } from './where';
import { withoutNulls } from './wire-values';

/** What a caller asked for, checked: audience, message, times in ms since the epoch. */
export interface PushRequest {
  readonly content: PushContent;
  readonly audience: Audience;
  /** The whole condition with `channels` in it, as the push record shows it. */
  readonly where: JsonObject;
  readonly prod: 'dev' | 'prod';
  /** Absent: now. */
  readonly pushTime?: number;
  /** Absent: the app's default lifetime. */
  readonly expiresAt?: number;
  readonly notificationId?: string;
  readonly reqId?: string;
  /** Devices per second. */
  readonly flowControl?: number;
  /** Devices that a vendor's budget has no room for are discarded; absent: they wait. */
  readonly overBudget?: 'discard';
  /** The sender listed the addresses himself; `where` says only what they have in common. */
  readonly isToDevices?: true;
  /** For the answer; not kept. */
  readonly warnings: readonly PushWarning[];
}

export interface PushRequestContext {
  readonly now: number;
  /** Checks and normalises the section of one channel; a name without an entry is kept as it is. */
  readonly sections: SectionParsers;
  /** Channel by the wire value of `vendor`. */
  readonly vendors: ReadonlyMap<string, string>;
  /** Value of the X-LC-Prod header. */
  readonly prodHeader?: string | undefined;
}

const MINUTE_MS = 60_000;
const LONGEST_LIFE_MS = LIMITS.longestPushLifeMs.value;
const MIN_FLOW_CONTROL = 1000;
const NOBODY: PushWarning = { path: 'channels', message: 'is empty: the push is for nobody' };

/** Its content is checked where it is taken apart. */
const fieldsSchema = pushBodySchema.omit({ data: true });
type PushFields = z.output<typeof fieldsSchema>;

/**
 * Parses the body of `POST /1.1/push`; unknown keys are ignored, null counts as absent. Throws `InvalidInput` naming the
 * field.
 */
export function parsePushRequest(input: unknown, context: PushRequestContext): PushRequest {
  const body = pushBodyOf(input);
  const content = parseContent(body, context.sections);
  const fields = checked(fieldsSchema, body);
  const channels = namesOf(fields.channels);
  const where = parseCondition(fields);
  const pushTime = parsePushTime(fields.push_time, context.now);
  return {
    content,
    audience: audienceOf(where, channels),
    where: channels ? withChannels(where, { $in: [...channels] }) : where,
    ...(pushTime === undefined ? {} : { pushTime }),
    ...parseSending(fields, { from: pushTime ?? context.now, ...context }),
    ...parseFlowControl(fields.flow_control),
    warnings: [
      ...unreadKeys(body, { known: PARAMETERS, sections: context.sections, elsewhere: READ_ELSEWHERE }),
      ...misplacedKeys({ body, data: content.data, parameters: BESIDE_DATA, sections: sectionsOf(context) }),
      ...contentWarnings(content),
      ...(channels?.length === 0 ? [NOBODY] : []),
      ...vendorWarnings(where, context.vendors),
      ...oddTimes(fields, context.now),
      ...longLife(fields, pushTime ?? context.now),
    ],
  };
}

const PARAMETERS: ReadonlySet<string> = new Set([...Object.keys(pushBodySchema.shape), OWN_SECTION, ...OTHER_SECTIONS]);

/** What may stand in the data too is left out. */
const BESIDE_DATA = Object.keys(pushBodySchema.shape).filter(
  (name) => !['data', 'badge', '_notificationChannel'].includes(name),
);

/** The sections that a push may have. */
export const sectionsOf = ({ sections }: Pick<PushRequestContext, 'sections'>): readonly string[] => [
  ...Object.keys(sections),
  OWN_SECTION,
  ...OTHER_SECTIONS,
];

/** What names devices in other calls: whoever sends it to this one pushes to everybody. */
const READ_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['device_ids', 'is not read here; POST /1.1/push/devices reads it'],
  ['installation_ids', 'is not read here; POST /1.1/push/installations reads it'],
  ['object_ids', 'is not read here; POST /1.1/push/installations reads it'],
]);

/** The body of a push, once null counts as absent. */
export function pushBodyOf(input: unknown): JsonObject {
  const body = withoutNulls(input);
  if (body['expiration_time'] !== undefined && body['expiration_interval'] !== undefined)
    throw new InvalidInput('expiration-conflict', 'expiration_time and expiration_interval exclude each other');
  return body;
}

type Sending = Pick<PushRequest, 'prod' | 'expiresAt' | 'notificationId' | 'reqId' | 'overBudget'>;
type SendingFields = Pick<
  PushFields,
  'prod' | 'expiration_time' | 'expiration_interval' | 'notification_id' | 'req_id' | 'over_budget'
>;

/** What every way of pushing has in common beside its content. */
export function parseSending(
  fields: SendingFields,
  { now, from, prodHeader }: PushRequestContext & { readonly from: number },
): Sending {
  const { prod = prodHeader !== undefined && prodHeader !== '1' ? 'dev' : 'prod' } = fields;
  const { notification_id: notificationId, req_id: reqId, over_budget: overBudget } = fields;
  return {
    prod,
    ...parseExpiry(fields, from, now),
    ...(notificationId === undefined ? {} : { notificationId }),
    ...(reqId === undefined ? {} : { reqId }),
    ...(overBudget === 'discard' ? { overBudget } : {}),
  };
}

const EVERYBODY: JsonObject = {};

function parseCondition({ where, cql }: PushFields): JsonObject {
  if (Array.isArray(where) && where.length === 0)
    throw new InvalidInput('invalid-query', 'where: an empty list says nothing; leave it out to push to everybody');
  if (cql === undefined) return where === undefined ? EVERYBODY : parseWhere(where);
  if (where !== undefined) throw new InvalidInput('invalid-query', 'where and cql exclude each other');
  const query = parseCql(cql);
  const isPlain = query.limit === undefined && query.skip === 0 && !query.isCount;
  if (query.className !== '_Installation' || !isPlain)
    throw new InvalidInput('invalid-cql', 'cql: must be a query for all matching objects of _Installation');
  return parseWhere(query.where);
}

const withChannels = (where: JsonObject, channels: Json): JsonObject =>
  where['channels'] === undefined ? { ...where, channels } : { $and: [where, { channels }] };

/** No names mean nobody; only the absent parameter means everybody. */
function namesOf(channels: PushFields['channels']): readonly string[] | undefined {
  if (channels === undefined) return undefined;
  return typeof channels === 'string' ? [channels] : [...new Set(channels)];
}

function parsePushTime(value: WireDate | undefined, now: number): number | undefined {
  const at = parseWireDate(value);
  return value === undefined || at - now < MINUTE_MS ? undefined : at;
}

/** Times that may be others than their sender meant. */
function oddTimes({ push_time: pushTime, expiration_time: expiry }: PushFields, now: number): readonly PushWarning[] {
  const past = pastTime(pushTime, now);
  return [...(past ? [past] : withoutZone('push_time', pushTime)), ...withoutZone('expiration_time', expiry)];
}

/** Seconds in the place of milliseconds, or a time without its zone: what should wait would go out at once. */
function pastTime(value: WireDate | undefined, now: number): PushWarning | undefined {
  if (value === undefined || now - parseWireDate(value) < MINUTE_MS) return undefined;
  return { path: 'push_time', message: `is past (read as ${readAs(value)}): the push is sent at once` };
}

/** East of Greenwich it is later by hours than was meant. */
export function withoutZone(path: string, value: WireDate | undefined): readonly PushWarning[] {
  if (value === undefined || !lacksZone(value)) return [];
  return [{ path, message: `has no zone: read as ${readAs(value)}` }];
}

const readAs = (value: WireDate): string => new Date(parseWireDate(value)).toISOString();

function expiresTooSoon(field: 'interval' | 'time', expiresAt: number): InvalidInput {
  // An interval can reach past the last date there is.
  const at = Number.isNaN(new Date(expiresAt).getTime()) ? '' : ` (read as ${new Date(expiresAt).toISOString()})`;
  return new InvalidInput('wrong-type', `expiration_${field}${at}: the push would expire before it is sent`);
}

function parseExpiry(fields: SendingFields, from: number, now: number): { expiresAt?: number } {
  const { expiration_time: time, expiration_interval: interval } = fields;
  if (time === undefined && interval === undefined) return {};
  const expiresAt = namedExpiry(fields, from);
  if (expiresAt <= Math.max(from, now)) throw expiresTooSoon(time === undefined ? 'interval' : 'time', expiresAt);
  return { expiresAt: Math.min(expiresAt, from + LONGEST_LIFE_MS) };
}

type ExpiryFields = Pick<SendingFields, 'expiration_time' | 'expiration_interval'>;

const namedExpiry = ({ expiration_time: time, expiration_interval: interval }: ExpiryFields, from: number): number =>
  time === undefined ? from + Math.round(Number(interval) * 1000) : parseWireDate(time);

/** Warns of an expiry beyond the longest life, which is cut to that: a far date is how senders say "no expiry", and no error. */
export function longLife(fields: ExpiryFields, from: number): readonly PushWarning[] {
  const field = fields.expiration_time === undefined ? 'expiration_interval' : 'expiration_time';
  if (fields[field] === undefined || namedExpiry(fields, from) <= from + LONGEST_LIFE_MS) return [];
  const [days, until] = [LONGEST_LIFE_MS / DAY_MS, new Date(Math.min(from + LONGEST_LIFE_MS, LAST_DATE_MS))];
  return [{ path: field, message: `is more than ${days} days after the push: it expires at ${until.toISOString()}` }];
}

function parseFlowControl(value: number | undefined): { flowControl?: number } {
  return value === undefined ? {} : { flowControl: Math.max(MIN_FLOW_CONTROL, Math.floor(value)) };
}
