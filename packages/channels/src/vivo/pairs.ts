import { type JsonObject, writeJson } from '@pushfleet/domain';

/** vivo push server API, "Single push": custom pairs are text, at most ten, 1,024 characters in all. */
const MAX_PAIRS = 10;
const PAIRS_LENGTH = 1024;

/** The pair that holds the pairs for which there is no room of their own, as the text of a JSON object. */
export const MORE_PAIRS = '_more';

export type Pairs = Readonly<Record<string, string>>;

export interface FittedPairs {
  readonly pairs: Pairs;
  /** Names of pairs that stand in `_more`. */
  readonly packed: readonly string[];
  /** Names of pairs for which there is no room at all. */
  readonly left: readonly string[];
}

/** The vendor takes text only; everything else is written as JSON. */
export function textPairs(pairs: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(pairs).map(([key, value]) => [key, typeof value === 'string' ? value : writeJson(value)]),
  );
}

/** As many pairs as the vendor takes, in the order given: the first nine as they are, the others in one. */
export function fitPairs(all: Pairs): FittedPairs {
  const whole = pack(Object.entries(all));
  if (lengthOf(whole.pairs) <= PAIRS_LENGTH) return { ...whole, left: [] };
  let kept: [string, string][] = [];
  const left: string[] = [];
  for (const pair of Object.entries(all)) {
    if (lengthOf(pack([...kept, pair]).pairs) <= PAIRS_LENGTH) kept = [...kept, pair];
    else left.push(pair[0]);
  }
  return { ...pack(kept), left };
}

function pack(entries: readonly (readonly [string, string])[]): Omit<FittedPairs, 'left'> {
  if (entries.length <= MAX_PAIRS) return { pairs: Object.fromEntries(entries), packed: [] };
  const more = entries.slice(MAX_PAIRS - 1);
  return {
    pairs: {
      ...Object.fromEntries(entries.slice(0, MAX_PAIRS - 1)),
      [MORE_PAIRS]: writeJson(Object.fromEntries(more)),
    },
    packed: more.map(([name]) => name),
  };
}

const lengthOf = (pairs: Pairs): number =>
  Object.entries(pairs).reduce((total, [key, value]) => total + key.length + value.length, 0);
