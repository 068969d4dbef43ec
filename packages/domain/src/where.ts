import sift from 'sift';
import { InvalidInput } from './invalid-input';
import { isJsonObject, type Json, type JsonObject } from './json';

/** Operators that take part in a condition on one field. */
const FIELD_OPERATORS = new Set(['$ne', '$lt', '$lte', '$gt', '$gte', '$in', '$nin', '$all', '$exists', '$size']);
const LOGICAL_OPERATORS = new Set(['$and', '$or']);
const MAX_DEPTH = 8;

/** Checks a `where` and returns it as one object; an array means that all of its members must hold. */
export function parseWhere(where: unknown): JsonObject {
  const object = Array.isArray(where) ? allOf(where as readonly Json[]) : where;
  if (!isJsonObject(object)) throw new InvalidInput('invalid-query', 'where: must be an object or an array of objects');
  checkCondition(object, 0);
  checkCompiles(object);
  return object;
}

/** No conditions hold for everybody; PHP writes its empty map as an empty list. */
const allOf = (conditions: readonly Json[]): JsonObject => (conditions.length === 0 ? {} : { $and: conditions });

function checkCondition(where: JsonObject, depth: number): void {
  if (depth > MAX_DEPTH) throw new InvalidInput('invalid-query', 'where: nested too deeply');
  for (const [key, value] of Object.entries(where)) {
    if (LOGICAL_OPERATORS.has(key)) checkBranches(key, value, depth);
    else if (key.startsWith('$'))
      throw new InvalidInput('invalid-query', `where: the operator ${key} is not supported`);
    else if (isJsonObject(value)) checkOperators(key, value);
    else checkValue(key, value, depth);
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
  const keys = Object.keys(condition);
  const operators = keys.filter((key) => key.startsWith('$'));
  if (operators.length === 0) return checkValue(field, condition, 0);
  if (operators.length < keys.length)
    throw new InvalidInput('invalid-query', `where: ${field}: operators and plain keys cannot be mixed`);
  for (const operator of operators) {
    const operand = condition[operator] ?? null;
    if (!FIELD_OPERATORS.has(operator))
      throw new InvalidInput('invalid-query', `where: the operator ${operator} is not supported`);
    if (['$in', '$nin', '$all'].includes(operator) && !Array.isArray(operand))
      throw new InvalidInput('invalid-query', `where: ${field}: ${operator} needs a list`);
    checkValue(field, operand, 0);
  }
}

/** Values are plain all the way down: the matcher would run an operator inside one, `$where` as program text. */
function checkValue(field: string, value: Json, depth: number): void {
  if (depth > MAX_DEPTH) throw new InvalidInput('invalid-query', `where: ${field}: nested too deeply`);
  if (Array.isArray(value)) for (const item of value as readonly Json[]) checkValue(field, item, depth + 1);
  if (!isJsonObject(value)) return;
  for (const [key, item] of Object.entries(value)) {
    if (key === '__type') throw new InvalidInput('invalid-query', `where: ${field}: typed values are not supported`);
    if (key.startsWith('$'))
      throw new InvalidInput('invalid-query', `where: the operator ${key} is not supported here`);
    checkValue(field, item, depth + 1);
  }
}

function checkCompiles(where: JsonObject): void {
  try {
    compileWhere(where);
  } catch (cause) {
    throw new InvalidInput(
      'invalid-query',
      `where: ${cause instanceof Error ? cause.message : 'cannot be understood'}`,
    );
  }
}

/** A test over installation documents; the `where` must have been parsed. */
export function compileWhere(where: JsonObject): (doc: JsonObject) => boolean {
  return sift(where);
}
