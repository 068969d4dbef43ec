import { type z } from 'zod';
import { describeConfig } from './describe-config';
import type { Logger } from './logger';
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

const namesOf = (schema: z.ZodObject): readonly string[] =>
  describeConfig(schema)
    .flatMap(({ name, secret }) => (secret ? [name, fileOf(name)] : [name]))
    .filter((name) => name.length >= LEAST_LETTERS);

/** Few slips are in the first letter, and `SSL_CERT_FILE`, which OpenSSL reads, is none. */
const isNear = (one: string, other: string): boolean =>
  one[0] === other[0] && Math.abs(one.length - other.length) <= MOST_EDITS && edits(one, other) <= MOST_EDITS;

/** How many letters must be added, left out or replaced to make one text of the other (Levenshtein). */
function edits(one: string, other: string): number {
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const letter of one) {
    const costs = [(last[0] ?? 0) + 1];
    for (const [at, replaced] of [...other].entries()) {
      const replacing = (last[at] ?? 0) + Number(letter !== replaced);
      costs.push(Math.min(replacing, (last[at + 1] ?? 0) + 1, (costs[at] ?? 0) + 1));
    }
    last = costs;
  }
  return last.at(-1) ?? 0;
}

/** Tells of each variable once, however many roles of the process nearly have it. */
export function warnOfMisspelled(log: Pick<Logger, 'warn'>, found: readonly Misspelled[]): void {
  const settings = new Map(found.map(({ variable, setting }) => [variable, setting]));
  for (const [variable, setting] of settings)
    log.warn({ variable, setting }, 'no setting has this name, but one nearly has');
}
