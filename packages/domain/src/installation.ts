import { InvalidInput } from './invalid-input';
import { isJsonObject, type Json, type JsonObject } from './json';
import { isProfileName, profileOf } from './profile';

/** One app on one device that may receive pushes, as the 1.1 API shows it. */
export type Installation = JsonObject & {
  readonly objectId: string;
  /** ISO 8601 with milliseconds, UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const MAX_INSTALLATION_BYTES = 64 * 1024;

/** Set by the service alone; writes to them are ignored because clients send back what they once read. */
const MANAGED = new Set(['objectId', 'createdAt', 'updatedAt', 'className', '_version', 'serverData', '__type']);

const STRING_FIELDS = [
  'installationId',
  'vendor',
  'registrationId',
  'deviceProfile',
  'deviceType',
  'deviceToken',
  'timeZone',
];

/** Letters, digits, `_`, `-`, `=` and CJK ideographs; the empty name is the broadcast channel. */
export function isChannelName(name: string): boolean {
  return /^[\w\-=\p{Unified_Ideograph}]*$/u.test(name) && name.length <= 255;
}

/** Whether a vendor could be given this id: some join ids with the excluded characters. */
export function isRegistrationId(id: string): boolean {
  return Buffer.byteLength(id) <= 512 && !/[,;\s\p{Cc}]/u.test(id);
}

/**
 * The document after a save: plain values overwrite, `__op` values are applied, what is not named stays. Throws
 * `InvalidInput` naming the field.
 */
export function applySave(current: JsonObject, body: JsonObject): JsonObject {
  const next: Record<string, Json> = { ...current };
  for (const [key, value] of Object.entries(body)) {
    if (MANAGED.has(key) || key.startsWith('__')) continue;
    if (!/^[A-Za-z][A-Za-z0-9_]{0,127}$/.test(key))
      throw new InvalidInput('key-name', `${key}: not a valid field name`);
    const result = isOperation(value) ? applyOperation(key, next[key], value) : value;
    if (result === undefined || result === null) delete next[key];
    else next[key] = result;
  }
  checkInstallation(next);
  return next;
}

function checkInstallation(doc: JsonObject): void {
  for (const field of STRING_FIELDS) {
    const value = doc[field];
    if (value !== undefined && typeof value !== 'string')
      throw new InvalidInput('wrong-type', `${field}: must be a string`);
  }
  checkChannels(doc['channels']);
  if (typeof doc['registrationId'] === 'string' && !isRegistrationId(doc['registrationId']))
    throw new InvalidInput(
      'wrong-type',
      'registrationId: at most 512 bytes without commas, semicolons, white space or control characters',
    );
  if (!isProfileName(profileOf(doc['deviceProfile'])))
    throw new InvalidInput('wrong-type', 'deviceProfile: a letter, then letters, digits and underscores');
  if (doc['valid'] !== undefined && typeof doc['valid'] !== 'boolean')
    throw new InvalidInput('wrong-type', 'valid: must be a boolean');
}

function checkChannels(channels: Json | undefined): void {
  if (channels === undefined) return;
  if (!Array.isArray(channels)) throw new InvalidInput('wrong-type', 'channels: must be an array of strings');
  for (const channel of channels as readonly Json[]) {
    if (typeof channel !== 'string' || !isChannelName(channel))
      throw new InvalidInput('channel-name', `channels: ${JSON.stringify(channel)} is not a channel name`);
  }
}

export function channelsOf(doc: JsonObject): readonly string[] {
  const channels = doc['channels'];
  return Array.isArray(channels) ? [...new Set(channels as string[])] : [];
}

interface Operation extends JsonObject {
  readonly __op: string;
}

const isOperation = (value: Json): value is Operation => isJsonObject(value) && typeof value['__op'] === 'string';

type Apply = (key: string, old: Json | undefined, operation: Operation) => Json | undefined;

/** Array and counter operations of the 1.1 storage API. */
const OPERATIONS: Readonly<Record<string, Apply>> = {
  Delete: () => undefined,
  Add: (key, old, operation) => [...list(key, old), ...objects(key, operation)],
  AddUnique: (key, old, operation) => unique([...list(key, old), ...objects(key, operation)]),
  Remove: (key, old, operation) => {
    const gone = new Set(objects(key, operation).map((item) => JSON.stringify(item)));
    return list(key, old).filter((item) => !gone.has(JSON.stringify(item)));
  },
  Increment: (key, old, operation) => number(key, old ?? 0) + number(key, operation['amount'] ?? 1),
  Decrement: (key, old, operation) => number(key, old ?? 0) - number(key, operation['amount'] ?? 1),
};

function applyOperation(key: string, old: Json | undefined, operation: Operation): Json | undefined {
  const apply = Object.hasOwn(OPERATIONS, operation.__op) ? OPERATIONS[operation.__op] : undefined;
  if (!apply) throw new InvalidInput('wrong-type', `${key}: the operation ${operation.__op} is not supported`);
  return apply(key, old, operation);
}

function list(key: string, value: Json | undefined): readonly Json[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new InvalidInput('wrong-type', `${key}: is not an array`);
  return value as readonly Json[];
}

function objects(key: string, operation: Operation): readonly Json[] {
  if (!Array.isArray(operation['objects'])) throw new InvalidInput('wrong-type', `${key}.objects: must be an array`);
  return operation['objects'] as readonly Json[];
}

function number(key: string, value: Json): number {
  if (typeof value !== 'number') throw new InvalidInput('wrong-type', `${key}: must be a number`);
  return value;
}

function unique(items: readonly Json[]): readonly Json[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
