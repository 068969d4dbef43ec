import { all, any, type Matcher } from './path';
import type { JsonObject } from '../json';

/** A test that pauses before each of its parts, so that others may have their turn within one document. */
export type Steps = Generator<undefined, boolean, undefined>;

/** What a `where`, or a part of it, asks of a document. */
export interface Condition {
  readonly matches: Matcher;
  /** Parts that are tested one by one; each costs at most some multiple of the size of the document. */
  readonly parts: number;
  steps(doc: JsonObject): Steps;
}

/** A part that is tested at once. */
export const part = (matches: Matcher): Condition => ({
  matches,
  parts: 1,
  *steps(doc) {
    yield;
    return matches(doc);
  },
});

const partsOf = (conditions: readonly Condition[]): number => conditions.reduce((sum, { parts }) => sum + parts, 0);
const matchersOf = (conditions: readonly Condition[]): readonly Matcher[] => conditions.map(({ matches }) => matches);

export const allHold = (conditions: readonly Condition[]): Condition => ({
  matches: all(matchersOf(conditions)),
  parts: partsOf(conditions),
  *steps(doc) {
    for (const condition of conditions) if (!(yield* condition.steps(doc))) return false;
    return true;
  },
});

export const oneHolds = (conditions: readonly Condition[]): Condition => ({
  matches: any(matchersOf(conditions)),
  parts: partsOf(conditions),
  *steps(doc) {
    for (const condition of conditions) if (yield* condition.steps(doc)) return true;
    return false;
  },
});
