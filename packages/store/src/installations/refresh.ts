import {
  applyClientSave,
  applySave,
  InvalidInput,
  isJsonObject,
  LIMITS,
  writeJson,
  type Json,
  type JsonObject,
  type MasterOnly,
} from '@pushfleet/domain';
import type { Refresh } from './read';

/** What a save brings. */
export interface SaveContent {
  /** The save is made with the app key: what it leaves as it is. Absent: the master key. */
  readonly client?: MasterOnly | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly body: JsonObject;
}

/**
 * What a record must hold for a save to change its updatedAt alone. Undefined for a save that may do more whatever the
 * record holds: it removes something, applies an operation, or names more fields than a record may have, which would keep Redis
 * comparing for nothing.
 */
export function refreshOf({ body, client, now }: SaveContent): Refresh | undefined {
  const values = Object.values(body);
  if (values.length > LIMITS.installationFields.value || values.some(isMore)) return undefined;
  const fields = fieldsOf(() => (client ? applyClientSave({}, body, client) : applySave({}, body)));
  if (fields === undefined || fields['registrationId'] === '') return undefined;
  const { registrationId, ...rest } = fields;
  return {
    stamp: new Date(now).toISOString(),
    registrationId: registrationId as string | undefined,
    isConfirmed: client === undefined,
    members: Object.entries(rest).flatMap(([name, value]) => [JSON.stringify(name), writeJson(value)]),
  };
}

const isMore = (value: Json): boolean => value === null || (isJsonObject(value) && '__op' in value);

/** What is refused is refused, or is not, with a look at the record. */
function fieldsOf(read: () => JsonObject): JsonObject | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof InvalidInput) return undefined;
    throw error;
  }
}
