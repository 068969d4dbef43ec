import { ADDRESS_FIELDS, coversOf, type JsonObject, type TermOf } from '@pushfleet/domain';

/** Lists that are as long cost more to look for than the document costs to read. */
const MOST_TEXTS = 8;
/** More parts of a condition are seldom told apart by one more text. */
const MOST_COVERS = 4;

/** Kept beside the document, or compared as dates, of which one may have several texts. */
const ELSEWHERE: ReadonlySet<string> = new Set([...ADDRESS_FIELDS, 'createdAt', 'updatedAt']);

/** The text of a value in every document that has it; undefined for what JSON may write in several ways. */
const textOf: TermOf = (field, value) => {
  if (typeof value !== 'string' || ELSEWHERE.has(field)) return undefined;
  const text = JSON.stringify(value);
  return text.length === value.length + 2 ? text : undefined;
};

/**
 * A test of the text of a document: false where a condition cannot hold for it, because a value that it asks for stands
 * nowhere in it. A walk that few devices match need not parse the others. Undefined for a condition that asks for no text.
 */
export function textTest(predicate: JsonObject): ((text: string) => boolean) | undefined {
  const covers = coversOf({ predicate }, textOf)
    .filter((texts) => texts.length <= MOST_TEXTS)
    .slice(0, MOST_COVERS);
  if (covers.length === 0) return undefined;
  return (text) => covers.every((texts) => texts.some((one) => text.includes(one)));
}
