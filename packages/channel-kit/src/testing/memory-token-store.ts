import type { AccessToken, TokenStore } from '@pushfleet/domain';

/** A token store for one process; `values` are all the tokens it ever held. */
export interface MemoryTokenStore extends TokenStore {
  readonly values: ReadonlySet<string>;
}

export function memoryTokenStore(): MemoryTokenStore {
  const tokens = new Map<string, AccessToken>();
  const claims = new Set<string>();
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
      if (claims.has(key)) return false;
      claims.add(key);
      return true;
    },
    async release(key) {
      claims.delete(key);
    },
  };
}
