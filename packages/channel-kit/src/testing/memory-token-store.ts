import type { AccessToken, TokenStore } from '@pushfleet/domain';

/** A token store for one process; `values` are all the tokens it ever held. */
export interface MemoryTokenStore extends TokenStore {
  readonly values: ReadonlySet<string>;
}

export function memoryTokenStore(): MemoryTokenStore {
  const tokens = new Map<string, AccessToken>();
  const claims = new Map<string, string>();
  let serial = 0;
  const values = new Set<string>();
  return {
    values,
    async read(key) {
      return tokens.get(key);
    },
    async write(key, token) {
      values.add(token.value);
      tokens.set(key, token);
    },
    async drop(key, value) {
      if (tokens.get(key)?.value === value) tokens.delete(key);
    },
    async claim(key) {
      if (claims.has(key)) return undefined;
      const claim = `claim-${(serial += 1)}`;
      claims.set(key, claim);
      return claim;
    },
    async release(key, claim) {
      if (claims.get(key) === claim) claims.delete(key);
    },
  };
}
