import { isJsonObject, type Json, type JsonObject } from '@pushfleet/domain';

const NO_PATHS: ReadonlySet<string> = new Set();

/** A sender's section asks for something that is not allowed or not complete; `message` names the field. */
export class SectionProblem extends Error {
  override readonly name = 'SectionProblem';
}

/**
 * Refuses keys at any depth of a section: a section may shape the message but never say who receives it or where the
 * vendor reports to. How a key is spelled does not matter. `appData` are paths, such as `message.data`, of what the vendor
 * hands to the app: its keys are the sender's own, and so are its numbers. Elsewhere no vendor has a field for an integer
 * that a double cannot hold, and one with such a field may refuse the message for all devices.
 */
export function refuseKeys(
  section: JsonObject,
  refused: readonly string[],
  appData: ReadonlySet<string> = NO_PATHS,
): JsonObject {
  const spellings = new Set(refused.map(spellingOf));
  const walk = (value: Json, path: string): void => {
    if (typeof value === 'bigint' && !isWithin(appData, path))
      throw new SectionProblem(`${path}: no field of the vendor holds ${value}; what the app reads may, such as data`);
    if (Array.isArray(value)) value.forEach((item: Json, index) => walk(item, `${path}[${index}]`));
    else if (isJsonObject(value)) for (const [key, item] of Object.entries(value)) visit(key, item, path);
  };
  const visit = (key: string, item: Json, path: string): void => {
    const at = path === '' ? key : `${path}.${key}`;
    if (spellings.has(spellingOf(key)))
      throw new SectionProblem(`${at}: targets and callback addresses are not allowed here`);
    if (!appData.has(at)) walk(item, at);
  };
  walk(section, '');
  return section;
}

/** Also where a dot in a key says what lies within: `extra.order` is a part of `extra`. */
const isWithin = (paths: ReadonlySet<string>, path: string): boolean =>
  [...paths].some((outer) => path === outer || path.startsWith(`${outer}.`));

/** A vendor may read `Registration_id`, ` registration_id` and `registrationId` alike; dots part what lies within each other. */
const spellingOf = (key: string): string =>
  key
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}.]/gu, '')
    .toLowerCase();
