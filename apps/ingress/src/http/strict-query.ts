import { InvalidInput, parseIsoDate, type LIMITS } from '@pushfleet/domain';

/** A parameter is refused by its name. */
export function refuseParameter(name: string, what: string): never {
  throw new InvalidInput('invalid-query', `${name}: ${what}`);
}

/** Refuses parameters that nobody reads; `kind` is what the others are called. */
export function requireKnown(query: URLSearchParams, names: readonly string[], kind = 'parameter'): void {
  const unknown = [...query.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined) refuseParameter(unknown.slice(0, 50), `is no ${kind}; there are ${names.join(', ')}`);
}

/** Of a parameter that may be given once. */
export function valueOf(query: URLSearchParams, name: string): string | undefined {
  const [value, ...more] = query.getAll(name);
  if (more.length > 0) refuseParameter(name, 'may be given once');
  return value;
}

/** Milliseconds since the epoch, written as that or as an ISO 8601 date; NaN for any other text. */
export const instantIn = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : parseIsoDate(text));

const DEFAULT_LIMIT = 100;

/** How much a page has. */
export function pageLimitOf(
  query: URLSearchParams,
  { value: most }: (typeof LIMITS)['outcomePage' | 'retiredPage'],
): number {
  const value = valueOf(query, 'limit');
  if (value === undefined) return DEFAULT_LIMIT;
  const limit = /^\d{1,9}$/.test(value) ? Number(value) : 0;
  return limit >= 1 && limit <= most ? limit : refuseParameter('limit', `must be a whole number from 1 to ${most}`);
}
