import { z } from 'zod';
import { parseWireDate } from './iso-date';
import { LIMITS, writeJson } from './limits';
import { isProfileName, profileOf } from './profile';

/** Letters, digits, `_`, `-`, `=` and CJK ideographs; the empty name is the broadcast channel. */
const CHANNEL_NAME = /^[\w\-=\p{Unified_Ideograph}]*$/u;
const MAX_CHANNEL_NAME = LIMITS.channelNameCharacters.value;

export const isChannelName = (name: string): boolean => CHANNEL_NAME.test(name) && name.length <= MAX_CHANNEL_NAME;

const REGISTRATION_ID = /^[^,;\s\p{Cc}]*$/u;
const MAX_REGISTRATION_ID_BYTES = LIMITS.registrationIdBytes.value;

/** Whether a vendor could be given this id: some join ids with the excluded characters. */
export const isRegistrationId = (id: string): boolean =>
  Buffer.byteLength(id) <= MAX_REGISTRATION_ID_BYTES && REGISTRATION_ID.test(id);

/** Values of the bodies of the 1.1 API; their errors are for callers. */
export const textSchema = z.string({ error: 'must be a string' });

export const objectSchema = z.looseObject({}, { error: 'must be a JSON object' });

const DATE = { error: 'must be an ISO 8601 date, milliseconds since the epoch, or {"__type": "Date", "iso": …}' };

/** The current SDKs send text, the Java SDK up to 6.x a number, raw REST callers a typed value. */
export const dateSchema = z
  .union([z.string(), z.int(), z.looseObject({ __type: z.literal('Date'), iso: z.string() })], DATE)
  .refine((date) => !Number.isNaN(parseWireDate(date)), DATE)
  .meta({ examples: ['2026-11-21T08:30:00.000Z'] });

const notAName = ({ input }: { readonly input?: unknown }): string => `${writeJson(input)} is not a channel name`;

export const channelNameSchema = z
  .string({ error: notAName })
  .refine(isChannelName, { error: notAName })
  .meta({ pattern: CHANNEL_NAME.source, maxLength: MAX_CHANNEL_NAME });

export const registrationIdSchema = textSchema
  .refine(isRegistrationId, {
    error: 'must have at most 512 bytes without commas, semicolons, white space or control characters',
  })
  .meta({ pattern: REGISTRATION_ID.source, maxLength: MAX_REGISTRATION_ID_BYTES });

/** Of an installation or a push to devices: empty means the default. */
export const deviceProfileSchema = textSchema
  .refine((name) => isProfileName(profileOf(name)), { error: 'must be a letter, then letters, digits and underscores' })
  .meta({ pattern: '^([A-Za-z][A-Za-z0-9_]{0,63}|_default)?$' });
