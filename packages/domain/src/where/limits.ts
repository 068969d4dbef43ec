import type { Json } from '../json';
import type { InvalidInput } from '../invalid-input';
import { LIMITS, overLimit } from '../limits';
import { refuse } from './refuse';

/** How deep conditions may stand in each other, and lists and objects in an operand. */
export const MAX_DEPTH = LIMITS.whereLevels.value;
/** The refusal of what stands deeper; `what` names it. */
export const tooDeep = (what: string): InvalidInput => overLimit('whereLevels', `${what}: nested too deeply:`);

const MAX_LIST = LIMITS.whereListValues.value;
const MAX_CHARACTERS = LIMITS.whereCharacters.value;

const ALLOWED = {
  conditions: LIMITS.whereConditions.value,
  values: LIMITS.whereValues.value,
  patterns: LIMITS.wherePatterns.value,
  'steps in its patterns': LIMITS.wherePatternSteps.value,
  'Unicode classes and blocks of ranges in its patterns': LIMITS.wherePatternRanges.value,
  'sub-queries': LIMITS.whereSubqueries.value,
} as const;

/** What one `where` may use of everything that costs memory or time later. */
export class Budget {
  private readonly spent = new Map<string, number>();

  /** What was parsed before, or comes from stored documents, is not judged again. */
  constructor(readonly isEnforced: boolean) {}

  spend(what: keyof typeof ALLOWED, amount = 1): void {
    const spent = (this.spent.get(what) ?? 0) + amount;
    this.spent.set(what, spent);
    if (this.isEnforced && spent > ALLOWED[what]) refuse(`more than ${ALLOWED[what]} ${what}`);
  }

  checkList(list: readonly Json[], where: string): void {
    if (this.isEnforced && list.length > MAX_LIST) refuse(`${where} has more than ${MAX_LIST} values`);
  }
}

/** Refuses what is no JSON, or too much of it, before anything else looks at it. */
export function checkSize(where: unknown): void {
  let left = MAX_CHARACTERS;
  const spend = (amount: number): void => {
    left -= amount;
    if (left < 0) refuse(`longer than ${MAX_CHARACTERS} characters`);
  };
  const visit = (value: unknown, depth: number): void => {
    if (depth > LIMITS.jsonLevels.value) throw overLimit('jsonLevels', 'where: nested too deeply:', 'invalid-query');
    spend(typeof value === 'string' ? value.length + 2 : 1);
    if (typeof value === 'number' ? !Number.isFinite(value) : !JSON_TYPES.has(typeof value)) refuse('is not JSON');
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) return value.forEach((item) => visit(item, depth + 1));
    for (const [key, item] of Object.entries(value)) {
      spend(key.length + 3);
      visit(item, depth + 1);
    }
  };
  visit(where, 0);
}

const JSON_TYPES = new Set(['bigint', 'string', 'number', 'boolean', 'object']);
