import { z } from 'zod';
import { ISO_DATE_PATTERN, LAST_DATE_MS, parseWireDate } from './iso-date';
import { InvalidInput } from './invalid-input';
import { isJsonObject, type JsonObject } from './json';
import { LIMITS, writeJson } from './limits';
import { isProfileName, profileOf } from './profile';
import { shown } from './where/refuse';

/** Letters, digits, `_`, `-`, `=` and CJK ideographs; the empty name is the broadcast channel. */
const CHANNEL_NAME = /^[\w\-=\p{Unified_Ideograph}]*$/u;
/** What of it every dialect of regular expressions can say: the rule for ASCII. */
const CHANNEL_NAME_PATTERN = String.raw`^[^\x00-,./:-<>-@\[-\^\x60{-\x7f]*$`;
const MAX_CHANNEL_NAME = LIMITS.channelNameCharacters.value;

export const isChannelName = (name: string): boolean => CHANNEL_NAME.test(name) && name.length <= MAX_CHANNEL_NAME;

/** Without classes by property, which validators of other languages cannot read. */
const REGISTRATION_ID_PATTERN = String.raw`^[^,;\s\x00-\x1f\x7f-\x9f]*$`;
const REGISTRATION_ID = new RegExp(REGISTRATION_ID_PATTERN);
const MAX_REGISTRATION_ID_BYTES = LIMITS.registrationIdBytes.value;

/** Whether a vendor could be given this id: some join ids with the excluded characters. */
export const isRegistrationId = (id: string): boolean =>
  Buffer.byteLength(id) <= MAX_REGISTRATION_ID_BYTES && REGISTRATION_ID.test(id);

/** Values of the bodies of the 1.1 API; their errors are for callers. */
export const textSchema = z.string({ error: 'must be a string' });

export const objectSchema = z.looseObject({}, { error: 'must be a JSON object' });

/** A body as an object in which null counts as absent. */
export function withoutNulls(input: unknown): JsonObject {
  if (!isJsonObject(input)) throw new InvalidInput('wrong-type', 'the body must be a JSON object');
  const isClean = Object.values(input).every((value) => value !== null);
  return isClean ? input : Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

const DATE = { error: 'must be an ISO 8601 date, milliseconds since the epoch, or {"__type": "Date", "iso": …}' };

const isoText = z.string().meta({ pattern: ISO_DATE_PATTERN });
const EPOCH_MS = { minimum: -LAST_DATE_MS, maximum: LAST_DATE_MS };

/** The current SDKs send text, the Java SDK up to 6.x a number, raw REST callers a typed value. */
export const dateSchema = z
  .union([isoText, z.int().meta(EPOCH_MS), z.looseObject({ __type: z.literal('Date'), iso: isoText })], DATE)
  .refine((date) => !Number.isNaN(parseWireDate(date)), DATE)
  .meta({ examples: ['2026-11-21T08:30:00.000Z'] });

/** What is wrong with a channel name, or with the first wrong one of a list. */
export function notAName({ input }: { readonly input?: unknown }): string {
  const name: unknown = Array.isArray(input)
    ? input.find((item) => typeof item !== 'string' || !isChannelName(item))
    : input;
  const isTooLong = typeof name === 'string' && name.length > MAX_CHANNEL_NAME;
  const limit = isTooLong ? `: it may have at most ${MAX_CHANNEL_NAME} characters` : '';
  return `${shown(writeJson(name))} is not a channel name${limit}`;
}

/** Of one name: a list in its place is none, whatever stands in it. */
const NAME = { error: ({ input }: { readonly input?: unknown }): string => notAName({ input: [input] }) };

export const channelNameSchema = z.string(NAME).refine(isChannelName, NAME).meta({
  description: 'Letters, digits, `_`, `-`, `=` and CJK ideographs.',
  pattern: CHANNEL_NAME_PATTERN,
  maxLength: MAX_CHANNEL_NAME,
});

export const registrationIdSchema = textSchema
  .refine(isRegistrationId, {
    error: `must have at most ${MAX_REGISTRATION_ID_BYTES} bytes without commas, semicolons, white space or control characters`,
  })
  .meta({ pattern: REGISTRATION_ID_PATTERN, maxLength: MAX_REGISTRATION_ID_BYTES });

/** Of an installation or a push to devices: empty means the default. */
export const deviceProfileSchema = textSchema
  .refine((name) => isProfileName(profileOf(name)), { error: 'must be a letter, then letters, digits and underscores' })
  .meta({ pattern: '^([A-Za-z][A-Za-z0-9_]{0,63}|_default)?$' });
