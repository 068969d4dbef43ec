import { z } from 'zod';
import { checked } from './checked';
import { checkColumnPath, columnPathOf, openChangePart } from './column-path';
import { type Json, type JsonObject } from './json';
import { applyOperation, isOperation } from './save-operations';
import { channelNameSchema, deviceProfileSchema, registrationIdSchema, textSchema } from './wire-values';

/** One app on one device that may receive pushes, as the 1.1 API shows it. */
export type Installation = JsonObject & {
  readonly objectId: string;
  /** ISO 8601 with milliseconds, UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** Set by the service alone; writes to them are ignored because clients send back what they once read. */
const MANAGED = ['objectId', 'createdAt', 'updatedAt', 'className', '_version', 'serverData', '__type'];
/** The Python SDK takes any answer with it for a failure, so that the rest of the installation could not be read. */
const MISREAD = 'error';
const IGNORED = new Set([...MANAGED, MISREAD]);

const textField = textSchema.optional();

/** The fields that the service understands; an app may add its own. */
export const installationFieldsSchema = z.looseObject({
  installationId: textField.describe('Names the installation: a save with a known one changes that installation.'),
  deviceType: textField.describe('`android` or `ios`.'),
  vendor: textField.describe('Which vendor reaches the device; absent, empty or `lc`: the own channel.'),
  registrationId: registrationIdSchema.optional().describe('Address that the vendor gave the installation.'),
  deviceProfile: deviceProfileSchema.optional().describe('Credentials to reach it with; absent or empty: `_default`.'),
  deviceToken: textField.describe('Address of an iOS device.'),
  timeZone: textField.describe('IANA name.'),
  channels: z
    .array(channelNameSchema, { error: 'must be an array of strings' })
    .optional()
    .describe('What the device subscribed to.'),
  valid: z.boolean({ error: 'must be a boolean' }).optional().describe('False: never a target of a push.'),
});

/**
 * The document after a save: plain values overwrite, `__op` values are applied, what is not named stays. A name with dots
 * is a part of a column. Throws `InvalidInput` naming the field.
 */
export function applySave(current: JsonObject, body: JsonObject): JsonObject {
  const next: Record<string, Json> = { ...current };
  const changePart = openChangePart();
  for (const [name, value] of Object.entries(body)) {
    const path = columnPathOf(name);
    const { column } = path;
    if (IGNORED.has(column) || column.startsWith('__')) continue;
    checkColumnPath(name, path);
    const old = Object.hasOwn(next, column) ? next[column] : undefined;
    const result = changePart(old, path, (part) => (isOperation(value) ? applyOperation(name, part, value) : value));
    if (result === undefined || result === null) delete next[column];
    else next[column] = result;
  }
  return checked(installationFieldsSchema, next) as JsonObject;
}

const ADDRESS_SCHEMAS = { registrationId: registrationIdSchema, deviceProfile: deviceProfileSchema } as const;

/** A save without the texts that can be no registrationId or deviceProfile, and their names. */
export function withoutOddAddress(body: JsonObject): {
  readonly body: JsonObject;
  readonly leftOut: readonly string[];
} {
  const isOdd = ([name, schema]: [string, z.ZodType]): boolean =>
    typeof body[name] === 'string' && !schema.safeParse(body[name]).success;
  const leftOut = Object.entries(ADDRESS_SCHEMAS)
    .filter(isOdd)
    .map(([name]) => name);
  if (leftOut.length === 0) return { body, leftOut };
  return { body: Object.fromEntries(Object.entries(body).filter(([name]) => !leftOut.includes(name))), leftOut };
}
