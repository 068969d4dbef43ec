import { isJsonObject, type Json, type JsonObject } from '../json';
import { writeJson } from '../limits';
import { MAX_DEPTH, tooDeep, type Budget } from './limits';
import { refuse, shown } from './refuse';
import { instantOf, plainInstantOf, typedValueOf, type InstantOf } from './typed-values';

/** Where an operator stands. */
export interface Site {
  readonly field: string;
  readonly path: readonly string[];
  readonly operator: string;
  /** The operator with its neighbours. */
  readonly condition: JsonObject;
  readonly budget: Budget;
  /** Checks the condition of a sub-query. */
  checkInner(where: JsonObject): void;
}

export const complain = ({ field, operator }: Site, why: string): never => refuse(`${field}: ${operator} ${why}`);

/** Fields that hold a date as plain text. */
export const isPlainDate = ({ field }: Site): boolean => field === 'createdAt' || field === 'updatedAt';
export const instantAt = (site: Site): InstantOf => (isPlainDate(site) ? plainInstantOf : instantOf);

/** What a field is compared with, checked. */
export function valueOf(operand: Json, site: Site): Json {
  const { isEnforced } = site.budget;
  site.budget.spend('values');
  if (isEnforced) checkValue(operand, site, 0);
  if (!isPlainDate(site) || operand === null) return operand;
  const date = typeof operand === 'string' ? { __type: 'Date', iso: operand } : operand;
  if (!Number.isNaN(instantOf(date))) return date;
  return isEnforced ? complain(site, 'needs a date') : operand;
}

/** Values are plain or typed all the way down: an operator inside one would be a condition nobody evaluates. */
function checkValue(value: Json, site: Site, depth: number): void {
  if (depth > MAX_DEPTH) throw tooDeep(`where: ${site.field}`);
  if (Array.isArray(value)) (value as readonly Json[]).forEach((item) => checkValue(item, site, depth + 1));
  if (!isJsonObject(value)) return;
  if (value['__type'] !== undefined) return checkTyped(value, site);
  for (const [key, item] of Object.entries(value)) {
    if (key.startsWith('$')) refuse(`${site.field}: the operator ${shown(key)} is not supported inside a value`);
    checkValue(item, site, depth + 1);
  }
}

function checkTyped(value: JsonObject, { field }: Site): void {
  const type = value['__type'];
  const typed = typedValueOf(type);
  if (!typed) refuse(`${field}: typed values ${shown(writeJson(type))} are not supported`);
  if (!typed.isValid(value)) refuse(`${field}: not a valid ${String(type)}`);
}

export function listOf(operand: Json, site: Site): readonly Json[] {
  if (!Array.isArray(operand)) return complain(site, 'needs a list');
  const list = operand as readonly Json[];
  site.budget.checkList(list, `${site.field}: ${site.operator}`);
  return list.map((value) => valueOf(value, site));
}
