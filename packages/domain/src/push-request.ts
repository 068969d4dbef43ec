import { audienceOf, type Audience } from './audience';
import { parseCql } from './cql';
import { isChannelName } from './installation';
import { InvalidInput } from './invalid-input';
import { parseIsoDate } from './iso-date';
import { isJsonObject, type Json, type JsonObject } from './json';
import type { PushContent } from './message';
import { parseContent, type SectionParsers } from './push-content';
import { parseWhere } from './where';

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
}

export interface PushRequestContext {
  readonly now: number;
  /** Checks and normalises the section of one channel; a name without an entry is kept as it is. */
  readonly sections: SectionParsers;
  /** Value of the X-LC-Prod header. */
  readonly prodHeader?: string | undefined;
}

const MINUTE_MS = 60_000;
const MIN_FLOW_CONTROL = 1000;
const MAX_INTERVAL_SECONDS = 999_999_999;

/**
 * Parses the body of `POST /1.1/push`; unknown keys are ignored, null counts as absent. Throws `InvalidInput` naming the
 * field.
 */
export function parsePushRequest(input: unknown, context: PushRequestContext): PushRequest {
  const body = withoutNulls(input);
  const content = parseContent(body, context.sections);
  const channels = parseChannels(body['channels']);
  const where = parseCondition(body);
  const pushTime = parsePushTime(body['push_time'], context.now);
  return {
    content,
    audience: audienceOf(where, channels),
    where: channels ? withChannels(where, { $in: [...channels] }) : where,
    ...(pushTime === undefined ? {} : { pushTime }),
    ...parseSending(body, { ...context, from: pushTime ?? context.now }),
    ...parseFlowControl(body['flow_control']),
  };
}

/** The body of a push as an object in which null counts as absent. */
export function withoutNulls(input: unknown): JsonObject {
  if (!isJsonObject(input)) throw new InvalidInput('wrong-type', 'the body must be a JSON object');
  const isClean = Object.values(input).every((value) => value !== null);
  return isClean ? input : Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

type Sending = Pick<PushRequest, 'prod' | 'expiresAt' | 'notificationId' | 'reqId'>;

/** What every way of pushing has in common beside its content. */
export function parseSending(body: JsonObject, context: PushRequestContext & { readonly from: number }): Sending {
  return {
    prod: parseProd(body['prod'], context.prodHeader),
    ...parseExpiry(body, context.from, context.now),
    ...parseId(body, 'notification_id', 'notificationId'),
    ...parseId(body, 'req_id', 'reqId'),
  };
}

const EVERYBODY: JsonObject = {};

function parseCondition({ where, cql }: JsonObject): JsonObject {
  if (cql === undefined) return where === undefined ? EVERYBODY : parseWhere(where);
  if (where !== undefined) throw new InvalidInput('invalid-query', 'where and cql exclude each other');
  if (typeof cql !== 'string') throw new InvalidInput('wrong-type', 'cql: must be a string');
  const query = parseCql(cql);
  const isPlain = query.limit === undefined && query.skip === 0 && !query.isCount;
  if (query.className !== '_Installation' || !isPlain)
    throw new InvalidInput('invalid-cql', 'cql: must be a query for all matching objects of _Installation');
  return parseWhere(query.where);
}

const withChannels = (where: JsonObject, channels: Json): JsonObject =>
  where['channels'] === undefined ? { ...where, channels } : { $and: [where, { channels }] };

/** No names mean nobody; only the absent parameter means everybody. */
function parseChannels(value: Json | undefined): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const channels = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(channels))
    throw new InvalidInput('wrong-type', 'channels: must be a string or an array of strings');
  for (const channel of channels as readonly Json[]) {
    if (typeof channel !== 'string' || !isChannelName(channel))
      throw new InvalidInput('channel-name', `channels: ${JSON.stringify(channel)} is not a channel name`);
  }
  return [...new Set(channels as readonly string[])];
}

function parsePushTime(value: Json | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const at = parseIsoDate(value);
  if (Number.isNaN(at)) throw new InvalidInput('push-time', 'push_time: must be an ISO 8601 date');
  return at - now < MINUTE_MS ? undefined : at;
}

function parseExpiry(body: JsonObject, from: number, now: number): { expiresAt?: number } {
  const { expiration_time: time, expiration_interval: interval } = body;
  if (time !== undefined && interval !== undefined)
    throw new InvalidInput('expiration-conflict', 'expiration_time and expiration_interval exclude each other');
  const expiresAt = time === undefined ? from + parseInterval(interval) : parseExpirationTime(time);
  if (Number.isNaN(expiresAt)) return {};
  if (expiresAt <= Math.max(from, now)) throw new InvalidInput('wrong-type', 'the push would expire before it is sent');
  return { expiresAt };
}

function parseExpirationTime(value: Json): number {
  const at = parseIsoDate(value);
  if (Number.isNaN(at)) throw new InvalidInput('wrong-type', 'expiration_time: must be an ISO 8601 date');
  return at;
}

/** Seconds, as a number or a numeric string; NaN when absent. */
function parseInterval(value: Json | undefined): number {
  if (value === undefined) return NaN;
  const seconds = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof seconds !== 'number' || !(seconds > 0 && seconds <= MAX_INTERVAL_SECONDS))
    throw new InvalidInput('wrong-type', 'expiration_interval: must be a positive number of seconds');
  return Math.round(seconds * 1000);
}

function parseProd(value: Json | undefined, header: string | undefined): 'dev' | 'prod' {
  if (value === undefined) return header !== undefined && header !== '1' ? 'dev' : 'prod';
  if (value !== 'dev' && value !== 'prod') throw new InvalidInput('wrong-type', 'prod: must be "dev" or "prod"');
  return value;
}

function parseId<K extends string>(body: JsonObject, field: string, name: K): { [P in K]?: string } {
  const value = body[field];
  if (value === undefined) return {};
  if (typeof value !== 'string' || !/^[A-Za-z0-9]{1,16}$/.test(value))
    throw new InvalidInput('wrong-type', `${field}: must be 1 to 16 letters and digits`);
  return { [name]: value } as { [P in K]?: string };
}

function parseFlowControl(value: Json | undefined): { flowControl?: number } {
  if (value === undefined) return {};
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
    throw new InvalidInput('wrong-type', 'flow_control: must be a number of devices per second');
  return { flowControl: Math.max(MIN_FLOW_CONTROL, Math.floor(value)) };
}
