import type { Grant } from './settings';

/** What a provider says of who signed in there. */
export type Claims = Readonly<Record<string, unknown>>;

/** The value of a claim: under its whole name, which may hold dots, or step by step into what it lies in. */
export function claimIn(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>(
      (within, step) => (isObject(within) && Object.hasOwn(within, step) ? within[step] : undefined),
      claims,
    );
}

/** Says nothing, in whatever form. */
export const isEmptyClaim = (claim: unknown): boolean =>
  claim === undefined ||
  claim === null ||
  claim === '' ||
  (typeof claim === 'object' && Object.keys(claim).length === 0);

/** What the first entry of the mapping gives that the claim names; undefined: nothing. */
export function grantOf(claim: unknown, grants: readonly Grant[]): Grant | undefined {
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return grants.find(({ value }) => values.includes(value));
}

const isObject = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
