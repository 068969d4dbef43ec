import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS, type AccessToken, type TokenStore } from '@pushfleet/domain';
import { ChannelFault } from './fault';

/** Asks the vendor for a token. */
export type TokenFetch = (signal: AbortSignal) => Promise<AccessToken>;

export interface TokenCache {
  /** The current token, fetched by one process of the fleet when there is none. Each caller waits until its own signal. */
  get(key: string, fetchToken: TokenFetch, signal: AbortSignal): Promise<string>;
  /** Forgets a token that the vendor refused; a newer one stays. */
  drop(key: string, value: string): Promise<void>;
}

/** A process that died gives others their turn by then. */
const CLAIM_MS = 10_000;
const POLL_MS = 50;
/** A vendor may name any life, also one that Redis takes for no number; what it refuses earlier is asked for anew all the same. */
const LONGEST_LIFE_MS = 30 * DAY_MS;

/** One fetch for all calls that need its token; it ends with the last of them. */
interface Fetch {
  readonly token: Promise<string>;
  readonly cutoff: AbortController;
  waiting: number;
}

/** The tokens that this process knows, and what the vendor refused last: others may still read that from the store while it is being dropped there. */
function openLocalTokens(now: () => number) {
  const tokens = new Map<string, AccessToken>();
  const refused = new Map<string, string>();
  return {
    get: (key: string): AccessToken | undefined => tokens.get(key),
    isUsable: (key: string, token: AccessToken | undefined): token is AccessToken =>
      token !== undefined && token.expiresAt > now() && token.value !== refused.get(key),
    /** Credentials that nobody sends with any more leave nothing behind. */
    keep(key: string, token: AccessToken): string {
      for (const [old, { expiresAt }] of tokens) {
        if (expiresAt > now()) continue;
        tokens.delete(old);
        refused.delete(old);
      }
      tokens.set(key, token);
      return token.value;
    },
    refuse: (key: string, value: string): void => void refused.set(key, value),
    believe(key: string, { value }: AccessToken): void {
      if (value === refused.get(key)) refused.delete(key);
    },
  };
}

/** `fetchMs` is how long the vendor may take to give a token. */
export function openTokenCache(store: TokenStore, now: () => number, fetchMs = CLAIM_MS): TokenCache {
  const local = openLocalTokens(now);
  const fetching = new Map<string, Fetch>();

  async function refresh(key: string, fetchToken: TokenFetch, cutoff: AbortController): Promise<string> {
    const deadline = now() + 2 * CLAIM_MS;
    let claim: string | undefined;
    for (;;) {
      const shared = await store.read(key);
      if (local.isUsable(key, shared)) return local.keep(key, shared);
      claim = await store.claim(key, CLAIM_MS);
      if (claim !== undefined || now() > deadline) break;
      await sleep(POLL_MS, undefined, { signal: cutoff.signal });
    }
    try {
      const token = endingBy(now() + LONGEST_LIFE_MS, await inTime(fetchToken, cutoff, fetchMs));
      // Some vendors hand out the same token until it ends.
      local.believe(key, token);
      await store.write(key, token);
      return local.keep(key, token);
    } finally {
      if (claim !== undefined) await store.release(key, claim);
    }
  }

  function begin(key: string, fetchToken: TokenFetch): Fetch {
    const cutoff = new AbortController();
    const token = refresh(key, fetchToken, cutoff).finally(() => forget(key, fetch));
    const fetch = { token, cutoff, waiting: 0 };
    fetching.set(key, fetch);
    return fetch;
  }

  const forget = (key: string, fetch: Fetch): void => void (fetching.get(key) === fetch && fetching.delete(key));

  return {
    async get(key, fetchToken, signal) {
      const known = local.get(key);
      if (local.isUsable(key, known)) return known.value;
      const fetch = fetching.get(key) ?? begin(key, fetchToken);
      fetch.waiting += 1;
      try {
        return await untilAborted(fetch.token, signal);
      } finally {
        fetch.waiting -= 1;
        if (fetch.waiting === 0) {
          forget(key, fetch);
          fetch.cutoff.abort();
        }
      }
    },
    async drop(key, value) {
      local.refuse(key, value);
      await store.drop(key, value);
    },
  };
}

const endingBy = (latest: number, token: AccessToken): AccessToken =>
  token.expiresAt <= latest ? token : { ...token, expiresAt: latest };

async function inTime(fetchToken: TokenFetch, cutoff: AbortController, ms: number): Promise<AccessToken> {
  const timer = setTimeout(() => cutoff.abort(new DOMException('no token in time', 'TimeoutError')), ms);
  try {
    return await fetchToken(cutoff.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** No message is sent without a token: who waits no longer has reached nobody. */
async function untilAborted(pending: Promise<string>, signal: AbortSignal): Promise<string> {
  let giveUp = (): void => undefined;
  const given = new Promise<never>((_, reject) => {
    giveUp = () => reject(new ChannelFault('unreachable', 'no access token in time', { cause: signal.reason }));
  });
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    return await Promise.race([pending, given]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** Repeats a call once with a fresh token when the vendor says that the token has expired. */
export async function withToken<T>(
  tokens: TokenCache,
  { key, fetchToken, signal }: { key: string; fetchToken: TokenFetch; signal: AbortSignal },
  call: (token: string) => Promise<T | 'token-expired'>,
): Promise<T | 'token-expired'> {
  const first = await tokens.get(key, fetchToken, signal);
  const answer = await call(first);
  if (answer !== 'token-expired') return answer;
  await tokens.drop(key, first);
  return call(await tokens.get(key, fetchToken, signal));
}
