import type { AccessToken, TokenStore } from '@pushfleet/domain';

export interface TokenCache {
  /** The current token, fetched by one process of the fleet when there is none. */
  get(key: string, fetchToken: () => Promise<AccessToken>): Promise<string>;
  /** Forgets a token that the vendor refused; a newer one stays. */
  drop(key: string, value: string): Promise<void>;
}

const CLAIM_MS = 10_000;
const POLL_MS = 50;

export function openTokenCache(store: TokenStore, now: () => number): TokenCache {
  const local = new Map<string, AccessToken>();
  const fetching = new Map<string, Promise<string>>();

  /** What the vendor refused last: others may still read it from the store while it is being dropped there. */
  const refused = new Map<string, string>();

  const usable = (key: string, token: AccessToken | undefined): token is AccessToken =>
    token !== undefined && token.expiresAt > now() && token.value !== refused.get(key);

  async function refresh(key: string, fetchToken: () => Promise<AccessToken>): Promise<string> {
    const deadline = now() + 2 * CLAIM_MS;
    for (;;) {
      const shared = await store.read(key);
      if (usable(key, shared)) return keep(key, shared);
      if ((await store.claim(key, CLAIM_MS)) || now() > deadline) break;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    try {
      const token = await fetchToken();
      // Some vendors hand out the same token until it ends.
      if (token.value === refused.get(key)) refused.delete(key);
      await store.write(key, token);
      return keep(key, token);
    } finally {
      await store.release(key);
    }
  }

  function keep(key: string, token: AccessToken): string {
    local.set(key, token);
    return token.value;
  }

  return {
    async get(key, fetchToken) {
      const known = local.get(key);
      if (usable(key, known)) return known.value;
      let pending = fetching.get(key);
      if (!pending) {
        pending = refresh(key, fetchToken).finally(() => fetching.delete(key));
        fetching.set(key, pending);
      }
      return pending;
    },
    async drop(key, value) {
      refused.set(key, value);
      await store.drop(key, value);
    },
  };
}

/** Repeats a call once with a fresh token when the vendor says that the token has expired. */
export async function withToken<T>(
  tokens: TokenCache,
  { key, fetchToken }: { key: string; fetchToken: () => Promise<AccessToken> },
  call: (token: string) => Promise<T | 'token-expired'>,
): Promise<T | 'token-expired'> {
  const first = await tokens.get(key, fetchToken);
  const answer = await call(first);
  if (answer !== 'token-expired') return answer;
  await tokens.drop(key, first);
  return call(await tokens.get(key, fetchToken));
}
