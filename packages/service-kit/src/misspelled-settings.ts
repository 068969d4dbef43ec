import { type z } from 'zod';
import { describeConfig } from './describe-config';
import { fileOf, type Environment } from './secret-files';

/** A variable that is set and names no setting, but nearly. */
export interface Misspelled {
  readonly variable: string;
  /** What is probably meant. */
  readonly setting: string;
}

/** Shorter names are near to too much that other programs read. */
const LEAST_LETTERS = 8;
const MOST_EDITS = 2;

/** The variables of an environment that nearly name a setting of a schema. */
export function misspelledSettings(schema: z.ZodObject, env: Environment): readonly Misspelled[] {
  const settings = namesOf(schema);
  const known = new Set(settings);
  return Object.keys(env)
    .filter((variable) => !known.has(variable))
    .flatMap((variable) => {
      const setting = settings.find((name) => isNear(variable.toUpperCase(), name));
      return setting === undefined ? [] : [{ variable, setting }];
    });
}

/** The `misspelledSettings` of a service. */
export const misspelledIn =
  (schema: z.ZodObject, usual: Environment) =>
  (env: Environment = usual): readonly Misspelled[] =>
    misspelledSettings(schema, env);

const namesOf = (schema: z.ZodObject): readonly string[] =>
  describeConfig(schema)
    .flatMap(({ name, secret }) => (secret ? [name, fileOf(name)] : [name]))
    .filter((name) => name.length >= LEAST_LETTERS);

/** Few slips are in the first letter, and `SSL_CERT_FILE`, which OpenSSL reads, is none. */
const isNear = (one: string, other: string): boolean =>
  one[0] === other[0] && Math.abs(one.length - other.length) <= MOST_EDITS && edits(one, other) <= MOST_EDITS;

/** How many letters must be added, left out, replaced or changed with their neighbour to make one text of the other. */
function edits(one: string, other: string): number {
  let beforeLast: readonly number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const costs = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const isSame = one[row - 1] === other[at - 1];
      const isSwapped = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      const swap = isSwapped ? costAt(beforeLast, at - 2) + 1 : Infinity;
      costs.push(
        Math.min(costAt(last, at) + 1, costAt(costs, at - 1) + 1, costAt(last, at - 1) + (isSame ? 0 : 1), swap),
      );
    }
    [beforeLast, last] = [last, costs];
  }
  return costAt(last, other.length);
}

const costAt = (costs: readonly number[], at: number): number => costs[at] ?? Infinity;
