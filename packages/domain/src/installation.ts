import { z } from 'zod';
import { checked } from './checked';
import { isColumnName } from './column-name';
import { exactSum } from './exact-json';
import { InvalidInput } from './invalid-input';
import { isJsonObject, type Json, type JsonObject } from './json';
import { jsonText, LIMITS, overLimit } from './limits';
import { shown } from './where/refuse';
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
 * The document after a save: plain values overwrite, `__op` values are applied, what is not named stays. Throws
 * `InvalidInput` naming the field.
 */
export function applySave(current: JsonObject, body: JsonObject): JsonObject {
  const next: Record<string, Json> = { ...current };
  for (const [key, value] of Object.entries(body)) {
    if (IGNORED.has(key) || key.startsWith('__')) continue;
    if (!isColumnName(key)) throw notAColumn(key);
    const result = isOperation(value) ? applyOperation(key, next[key], value) : value;
    if (result === undefined || result === null) delete next[key];
    else next[key] = result;
  }
  return checked(installationFieldsSchema, next) as JsonObject;
}

function notAColumn(key: string): InvalidInput {
  if (key.length <= LIMITS.fieldNameCharacters.value)
    return new InvalidInput('key-name', `${key}: not a valid field name`);
  return overLimit('fieldNameCharacters', `${shown(key)}: the name of a field may have`);
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

const itemsSchema = z.array(z.unknown(), { error: 'must be an array' });
const amountSchema = z
  .union([z.number(), z.bigint()], { error: 'must be a number' })
  .meta({ type: 'number' })
  .nullish();

/** Operations of the 1.1 storage API, in the place of a value. */
export const operationSchema = z.discriminatedUnion(
  '__op',
  [
    z.looseObject({ __op: z.literal('Delete') }),
    z.looseObject({ __op: z.enum(['Add', 'AddUnique', 'Remove']), objects: itemsSchema }),
    z.looseObject({ __op: z.enum(['Increment', 'Decrement']), amount: amountSchema }),
  ],
  { error: 'is not a supported operation' },
);

const isOperation = (value: Json): boolean => isJsonObject(value) && typeof value['__op'] === 'string';

function applyOperation(key: string, old: Json | undefined, input: Json): Json | undefined {
  const operation = checked(operationSchema, input, key);
  if (operation.__op === 'Delete') return undefined;
  if (operation.__op === 'Increment' || operation.__op === 'Decrement') {
    const amount = operation.amount ?? 1;
    return exactSum(checked(counterSchema, old ?? 0, key), operation.__op === 'Increment' ? amount : -amount);
  }
  return LIST_OPERATIONS[operation.__op](list(key, old), operation.objects as readonly Json[]);
}

const LIST_OPERATIONS = {
  Add: (items: readonly Json[], more: readonly Json[]) => [...items, ...more],
  AddUnique: (items: readonly Json[], more: readonly Json[]) => unique([...items, ...more]),
  Remove: (items: readonly Json[], unwanted: readonly Json[]) => {
    const gone = new Set(unwanted.map(textOf));
    return items.filter((item) => !gone.has(textOf(item)));
  },
};

const counterSchema = z.union([z.number(), z.bigint()], { error: 'is not a number' });

function list(key: string, value: Json | undefined): readonly Json[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new InvalidInput('wrong-type', `${key}: is not an array`);
  return value as readonly Json[];
}

const textOf = (item: Json): string => jsonText(item);

const unique = (items: readonly Json[]): readonly Json[] => [
  ...new Map(items.map((item) => [textOf(item), item])).values(),
];
