import { isJsonObject, type JsonObject } from '../json';

/** Whoever knows one of these of a device speaks for it, or takes its messages. */
const SECRET_IDS: ReadonlySet<string> = new Set(['objectId', 'installationId', 'registrationId', 'deviceToken']);

/** Operators that hold for many values: with them an id is found piece by piece. */
const NARROWING: ReadonlySet<string> = new Set(['$regex', '$lt', '$lte', '$gt', '$gte']);

/** Whether a parsed `where` asks for a part of an id, where a device is named by the whole. */
export function asksForPartOfId(where: JsonObject): boolean {
  return Object.entries(where).some(([field, condition]) => {
    if (field.startsWith('$')) return (condition as readonly JsonObject[]).some(asksForPartOfId);
    return (
      SECRET_IDS.has(field) && isJsonObject(condition) && Object.keys(condition).some((name) => NARROWING.has(name))
    );
  });
}
