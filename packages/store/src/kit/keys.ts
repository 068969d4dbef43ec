import { families, type KeyFamily } from './key-family';

/** What every room needs to spell its keys; `{…}` in a key is the hash tag that keeps those of a script in one slot. */
export const kitKeys = (namespace: string) => ({
  namespace,
  /** A lease on work that one process does for the fleet. */
  lease: (name: string): string => `${namespace}:lease:{${name}}`,
});

export type KitKeys = ReturnType<typeof kitKeys>;

export const KIT_KEYS: readonly KeyFamily[] = families('fleet', 'stays', { leases: 'lease:\\{[^}]+\\}' });
