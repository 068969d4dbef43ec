import { hash } from 'node:crypto';
import { channelTermOf, indexTextOf, indexTextsOf, LIMITS, type JsonObject, type TermOf } from '@pushfleet/domain';

/** One value of one column, as the index names it: no channel has such a name. */
const BEGIN = '$';
const LONGEST_TEXT = 64;
const MAX_ITEMS = LIMITS.indexedItems.value;
/** What an installation has whose list is too long for the index. */
const MANY = '*';

/** Separates the value from the objectId in a member, and sorts before whatever a value may hold. */
const SEPARATOR = '\n';
const BEHIND_SEPARATOR = '\v';

export interface ColumnTerm {
  readonly column: string;
  readonly value: string;
}

export const isColumnTerm = (term: string): boolean => term.startsWith(BEGIN);
const columnTerm = (column: string, value: string): string => `${BEGIN}${column}=${value}`;
/** How every term of a column begins. */
export const termsBegin = (column: string): string => columnTerm(column, '');

export function readColumnTerm(term: string): ColumnTerm {
  const at = term.indexOf('=');
  return { column: term.slice(BEGIN.length, at), value: term.slice(at + 1) };
}

/** The columns in which a device may have a value that a list of terms does not name. */
export const manyTermsFor = (terms: readonly string[]): readonly string[] =>
  [...new Set(terms.filter(isColumnTerm).map((term) => readColumnTerm(term).column))].map((column) =>
    columnTerm(column, MANY),
  );

/** Terms of channels and of the columns that are indexed. */
export const termOfIndexed =
  (columns: ReadonlySet<string>): TermOf =>
  (field, value) => {
    if (!columns.has(field)) return channelNamed(channelTermOf(field, value));
    const text = indexTextOf(value);
    return text === undefined ? undefined : columnTerm(field, shortened(text));
  };

/** Whoever asks for a channel of such a name must not be given who has a value. */
const channelNamed = (name: string | undefined): string | undefined =>
  name === undefined || isColumnTerm(name) ? undefined : name;

/** The terms of a document in some columns. */
export const columnTermsOf = (doc: JsonObject, columns: Iterable<string>): readonly string[] =>
  [...columns].flatMap((column) => {
    const texts = indexTextsOf(doc[column]);
    return texts.length > MAX_ITEMS
      ? [columnTerm(column, MANY)]
      : [...new Set(texts.map((text) => columnTerm(column, shortened(text))))];
  });

/** Any below the space: separators are among them. */
const CONTROL = /[^ -\u{10ffff}]/u;

/** Half of a character: JSON may hold it, and Redis is sent the same sign for every one of them. */
const HALF = /\p{Cs}/u;

/** What is long, could be taken for a separator, or holds a half, stands for itself by its digest. */
const shortened = (text: string): string =>
  text.length <= LONGEST_TEXT && !CONTROL.test(text) && !HALF.test(text)
    ? text
    : `h${hash('sha256', HALF.test(text) ? JSON.stringify(text) : text, 'base64url').slice(0, 22)}`;

/** What stands in the index of a column for an installation with a value. */
export const memberOf = ({ value }: ColumnTerm, objectId: string): string => `${value}${SEPARATOR}${objectId}`;

/** Bounds of the members of a value. */
export const membersOf = ({ value }: ColumnTerm) => ({
  from: `[${value}${SEPARATOR}`,
  to: `(${value}${BEHIND_SEPARATOR}`,
});

export const objectIdOf = (member: string): string => member.slice(member.lastIndexOf(SEPARATOR) + 1);
