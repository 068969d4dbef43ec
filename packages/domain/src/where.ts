import sift from 'sift';
import { InvalidInput } from './invalid-input';
import { isJsonObject, type Json, type JsonObject } from './json';

/** Operators that take part in a condition on one field. */
const FIELD_OPERATORS = new Set(['$ne', '$lt', '$lte', '$gt', '$gte', '$in', '$nin', '$all', '$exists', '$size']);
const LOGICAL_OPERATORS = new Set(['$and', '$or']);
const MAX_DEPTH = 8;

/** Checks a `where` and returns it as one object; an array means that all of its members must hold. */
export function parseWhere(where: unknown): JsonObject {
  const object = Array.isArray(where) ? { $and: where as readonly Json[] } : where;
  if (!isJsonObject(object)) throw new InvalidInput('invalid-query', 'where: must be an object or an array of objects');
  checkCondition(object, 0);
  return object;
}

function checkCondition(where: JsonObject, depth: number): void {
  if (depth > MAX_DEPTH) throw new InvalidInput('invalid-query', 'where: nested too deeply');
  for (const [key, value] of Object.entries(where)) {
    if (LOGICAL_OPERATORS.has(key)) checkBranches(key, value, depth);
    else if (key.startsWith('$'))
      throw new InvalidInput('invalid-query', `where: the operator ${key} is not supported`);
    else if (isJsonObject(value)) checkOperators(key, value);
  }
}

function checkBranches(operator: string, value: Json, depth: number): void {
  if (!Array.isArray(value) || value.length === 0)
    throw new InvalidInput('invalid-query', `where: ${operator} needs a list of conditions`);
  for (const branch of value as readonly Json[]) {
    if (!isJsonObject(branch)) throw new InvalidInput('invalid-query', `where: ${operator} needs a list of conditions`);
    checkCondition(branch, depth + 1);
  }
}

function checkOperators(field: string, condition: JsonObject): void {
  if ('__type' in condition) throw new InvalidInput('invalid-query', `where: ${field}: typed values are not supported`);
  for (const [operator, operand] of Object.entries(condition)) {
    if (!operator.startsWith('$')) continue;
    if (!FIELD_OPERATORS.has(operator))
      throw new InvalidInput('invalid-query', `where: the operator ${operator} is not supported`);
    if (['$in', '$nin', '$all'].includes(operator) && !Array.isArray(operand))
      throw new InvalidInput('invalid-query', `where: ${field}: ${operator} needs a list`);
  }
}

/** A test over installation documents; the `where` must have been parsed. */
export function compileWhere(where: JsonObject): (doc: JsonObject) => boolean {
  return sift(where);
}
