import { writeJson } from '../limits';
import { isJsonObject, type Json, type JsonObject } from '../json';
import { LIMITS } from '../limits';
import { readPath } from './path';
import { refuse } from './refuse';

/** What an operator becomes once its sub-query is answered, and what it takes from each answer. */
interface Substitution {
  readonly becomes: '$in' | '$nin';
  /** The operand holds a query and names a key of its results, instead of being the query. */
  readonly takesKey: boolean;
}

const SUBSTITUTIONS: Readonly<Record<string, Substitution>> = {
  $inQuery: { becomes: '$in', takesKey: false },
  $notInQuery: { becomes: '$nin', takesKey: false },
  $select: { becomes: '$in', takesKey: true },
  $dontSelect: { becomes: '$nin', takesKey: true },
};

export const SUBQUERY_OPERATORS = Object.keys(SUBSTITUTIONS);

const CLASS_NAME = '_Installation';
/** What a sub-query may say beside class and condition: it has no effect on which objects are found. */
const IGNORED = new Set(['keys', 'include', 'order', 'returnACL']);
export const MAX_SUBQUERY_RESULTS = LIMITS.subqueryResults.value;

/** A question about other installations that must be answered before a condition can be tested. */
export interface Subquery {
  readonly where: JsonObject;
}

interface Place {
  readonly field: string;
  readonly operator: string;
}

interface KeyedSubquery extends Subquery {
  /** Absent: pointers to the results are compared. */
  readonly key?: string;
}

export function readSubquery(operand: Json, { field, operator }: Place): KeyedSubquery {
  const complain = (why: string): never => refuse(`${field}: ${operator} ${why}`);
  if (!isJsonObject(operand)) return complain('needs a query');
  if (SUBSTITUTIONS[operator]?.takesKey !== true) return readQuery(operand, complain);
  const { query, key, ...more } = operand;
  if (!isJsonObject(query) || typeof key !== 'string' || Object.keys(more).length > 0)
    return complain('needs a query and a key');
  readPath(key);
  return { ...readQuery(query, complain), key };
}

function readQuery(query: JsonObject, complain: (why: string) => never): Subquery {
  const { className, where = {}, limit = MAX_SUBQUERY_RESULTS, ...more } = query;
  if (className !== CLASS_NAME) complain(`can only ask the class ${CLASS_NAME}: no other class is stored here`);
  if (limit !== MAX_SUBQUERY_RESULTS) complain('takes all results: limit is not supported');
  const unknown = Object.keys(more).find((name) => !IGNORED.has(name));
  if (unknown !== undefined) complain(`does not support ${writeJson(unknown)}`);
  const object = Array.isArray(where) ? allOf(where as readonly Json[]) : where;
  return isJsonObject(object) ? { where: object } : complain('needs a condition');
}

/** No conditions hold for everybody; PHP writes its empty map as an empty list. */
export const allOf = (conditions: readonly Json[]): JsonObject => (conditions.length === 0 ? {} : { $and: conditions });

/** The sub-queries of a parsed `where`, in the order in which they stand; theirs are found in their own `where`. */
export function subqueriesOf(where: JsonObject): readonly Subquery[] {
  const found: Subquery[] = [];
  rewrite(where, (subquery) => {
    found.push(subquery);
    return [];
  });
  return found;
}

/** The condition with every sub-query replaced by what it found; `results` are in the order of `subqueriesOf`. */
export function withSubqueries(where: JsonObject, results: readonly (readonly JsonObject[])[]): JsonObject {
  let next = 0;
  return rewrite(where, ({ key }) => {
    const found = results[next++] ?? [];
    return key === undefined ? found.map(pointerTo) : found.flatMap((doc) => valuesAt(doc, key.split('.')));
  });
}

const pointerTo = ({ objectId = '' }: JsonObject): Json => ({ __type: 'Pointer', className: CLASS_NAME, objectId });

/** None where there is none: a missing value must not select the devices that miss it too. */
function valuesAt(doc: JsonObject, path: readonly string[]): readonly Json[] {
  let value: Json | undefined = doc;
  for (const key of path) value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value === undefined || value === null ? [] : [value];
}

type Answer = (subquery: KeyedSubquery) => readonly Json[];

/** Answers stand beside the rest in an `$and`, because a field may have an `$in` of its own. */
function rewrite(where: JsonObject, answer: Answer): JsonObject {
  const answers: JsonObject[] = [];
  const rest: Record<string, Json> = {};
  for (const [key, value] of Object.entries(where)) {
    if (key.startsWith('$')) rest[key] = (value as readonly JsonObject[]).map((branch) => rewrite(branch, answer));
    else {
      const left = isJsonObject(value) ? takeSubqueries(key, value, { answer, answers }) : value;
      if (left !== undefined) rest[key] = left;
    }
  }
  return answers.length === 0 ? rest : { $and: [rest, ...answers] };
}

/** What is left of the condition on a field. */
function takeSubqueries(
  field: string,
  condition: JsonObject,
  { answer, answers }: { answer: Answer; answers: JsonObject[] },
): JsonObject | undefined {
  if (!SUBQUERY_OPERATORS.some((operator) => Object.hasOwn(condition, operator))) return condition;
  const rest: Record<string, Json> = {};
  for (const [operator, operand] of Object.entries(condition)) {
    const substitution = Object.hasOwn(SUBSTITUTIONS, operator) ? SUBSTITUTIONS[operator] : undefined;
    if (!substitution) rest[operator] = operand;
    else answers.push({ [field]: { [substitution.becomes]: answer(readSubquery(operand, { field, operator })) } });
  }
  return Object.keys(rest).length === 0 ? undefined : rest;
}
