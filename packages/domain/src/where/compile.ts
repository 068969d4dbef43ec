import { isJsonObject, type Json, type JsonObject } from '../json';
import { Budget, checkSize, MAX_DEPTH, tooDeep } from './limits';
import type { Site } from './operand';
import { applyOperator, equals } from './operators';
import { allHold, oneHolds, part, type Condition } from './condition';
import { readPath, type Matcher } from './path';
import { refuse, shown } from './refuse';
import { allOf } from './subqueries';

/**
 * Checks a `where` and returns it as one object; an array means that all of its members must hold. Throws
 * `InvalidInput` naming field and operator.
 */
export function parseWhere(where: unknown): JsonObject {
  checkSize(where);
  const object = Array.isArray(where) ? allOf(where as readonly Json[]) : where;
  if (!isJsonObject(object)) return refuse('must be an object or an array of objects');
  compileConditions(object, new Budget(true), 0);
  return object;
}

/** A test over installation documents; the `where` must have been parsed, and its sub-queries answered. */
export const compileWhere = (where: JsonObject): Matcher => compileCondition(where).matches;

/** The same in parts, for documents and conditions of any size. */
export const compileCondition = (where: JsonObject): Condition => compileConditions(where, new Budget(false), 0);

const CONNECTIVES: ReadonlyMap<string, (conditions: readonly Condition[]) => Condition> = new Map([
  ['$and', allHold],
  ['$or', oneHolds],
]);

function compileConditions(where: JsonObject, budget: Budget, depth: number): Condition {
  if (depth > MAX_DEPTH) throw tooDeep('where');
  return allHold(
    Object.entries(where).map(([key, value]) =>
      key.startsWith('$') ? compileBranches([key, value], budget, depth) : compileField([key, value], budget, depth),
    ),
  );
}

function compileBranches([key, branches]: readonly [string, Json], budget: Budget, depth: number): Condition {
  const connect = CONNECTIVES.get(key);
  if (!connect) return refuse(`the operator ${shown(key)} is not supported`);
  if (!Array.isArray(branches) || branches.length === 0) return refuse(`${key} needs a list of conditions`);
  return connect(
    (branches as readonly Json[]).map((branch) => {
      budget.spend('conditions');
      if (!isJsonObject(branch)) return refuse(`${key} needs a list of conditions`);
      return compileConditions(branch, budget, depth + 1);
    }),
  );
}

function compileField([field, condition]: readonly [string, Json], budget: Budget, depth: number): Condition {
  const path = readPath(field);
  const site = {
    checkInner: (where: JsonObject) => void compileConditions(where, budget, depth + 1),
    field,
    path,
    budget,
  };
  const operators = isJsonObject(condition) ? Object.keys(condition).filter((key) => key.startsWith('$')) : [];
  if (!isJsonObject(condition) || operators.length === 0) {
    budget.spend('conditions');
    return part(equals(condition, { operator: 'equality', condition: {}, ...site }));
  }
  if (operators.length < Object.keys(condition).length) refuse(`${field}: operators and plain keys cannot be mixed`);
  refuseOtherThanEquality(path, operators);
  return compileOperators(condition, site);
}

function compileOperators(condition: JsonObject, site: Omit<Site, 'operator' | 'condition'>): Condition {
  const matchers = Object.entries(condition).map(([operator, operand]) => {
    site.budget.spend('conditions');
    return applyOperator(operand, { operator, condition, ...site });
  });
  return allHold(matchers.filter((matcher) => matcher !== undefined).map(part));
}

/** LeanCloud push guide: only equality can be asked of this field. */
function refuseOtherThanEquality(path: readonly string[], operators: readonly string[]): void {
  if (path[0] === 'deviceProfile') refuse(`deviceProfile: only equality is supported, not ${operators.join(', ')}`);
}
