import type { Json, JsonObject } from '../json';
import { LIMITS, overLimit } from '../limits';
import type { Reader } from './reader';

const MAX_DEPTH = LIMITS.whereLevels.value;

/** `or` binds weaker than `and`; parentheses bind strongest. */
export function readConditions(reader: Reader, depth = 0): JsonObject {
  if (depth > MAX_DEPTH) throw overLimit('whereLevels', 'cql: nested too deeply:', 'invalid-cql');
  const branches = [readConjunction(reader, depth)];
  while (reader.take('or')) branches.push(readConjunction(reader, depth));
  return branches.length === 1 ? (branches[0] ?? {}) : { $or: branches };
}

function readConjunction(reader: Reader, depth: number): JsonObject {
  const conditions = [readCondition(reader, depth)];
  while (reader.take('and')) conditions.push(readCondition(reader, depth));
  const names = new Set(conditions.flatMap((condition) => Object.keys(condition)));
  // Conditions on different fields stand side by side, so that an index can answer one of them.
  const areApart = names.size === conditions.length && ![...names].some((name) => name.startsWith('$'));
  return areApart ? Object.fromEntries(conditions.flatMap(Object.entries)) : { $and: conditions };
}

function readCondition(reader: Reader, depth: number): JsonObject {
  if (reader.take('(')) {
    const inner = readConditions(reader, depth + 1);
    reader.expect(')');
    return inner;
  }
  return { [reader.name()]: readComparison(reader) };
}

const COMPARISONS: Readonly<Record<string, string>> = {
  '!=': '$ne',
  '<>': '$ne',
  '<=': '$lte',
  '>=': '$gte',
  '<': '$lt',
  '>': '$gt',
};

const MEMBERSHIPS = [
  { words: ['in'], operator: '$in' },
  { words: ['not', 'in'], operator: '$nin' },
  { words: ['all'], operator: '$all' },
] as const;

function readComparison(reader: Reader): Json {
  if (reader.take('=')) return reader.value();
  for (const [sign, operator] of Object.entries(COMPARISONS)) {
    if (reader.take(sign)) return { [operator]: reader.value() };
  }
  for (const { words, operator } of MEMBERSHIPS) {
    if (reader.take(...words)) return { [operator]: reader.list() };
  }
  if (reader.take('like')) return { $regex: likePattern(reader) };
  if (reader.take('regexp')) return { $regex: textOf(reader) };
  if (reader.take('is', 'not', 'exists')) return { $exists: false };
  if (reader.take('is', 'exists')) return { $exists: true };
  return reader.complain('a comparison is missing');
}

function textOf(reader: Reader): string {
  const value = reader.value();
  return typeof value === 'string' ? value : reader.complain('a string is missing');
}

/** Percent stands for any text, the underscore for any character. */
function likePattern(reader: Reader): string {
  const escaped = textOf(reader).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return `^${escaped.replace(/%/g, '.*').replace(/_/g, '.')}$`;
}
