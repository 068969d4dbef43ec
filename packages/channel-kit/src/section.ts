import { isJsonObject, type Json, type JsonObject } from '@pushfleet/domain';

/** A sender's section asks for something that is not allowed or not complete; `message` names the field. */
export class SectionProblem extends Error {
  override readonly name = 'SectionProblem';
}

/**
 * Refuses keys at any depth of a section: a section may shape the message but never say who receives it or where the
 * vendor reports to.
 */
export function refuseKeys(section: JsonObject, refused: readonly string[]): JsonObject {
  const walk = (value: Json, path: string): void => {
    if (Array.isArray(value)) value.forEach((item: Json, index) => walk(item, `${path}[${index}]`));
    else if (isJsonObject(value)) for (const [key, item] of Object.entries(value)) visit(key, item, path);
  };
  const visit = (key: string, item: Json, path: string): void => {
    const at = path === '' ? key : `${path}.${key}`;
    if (refused.includes(key)) throw new SectionProblem(`${at}: targets and callback addresses are not allowed here`);
    walk(item, at);
  };
  walk(section, '');
  return section;
}
