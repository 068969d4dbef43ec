/** A vendor's access token, as the fleet shares it. */
export interface AccessToken {
  readonly value: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Where the fleet keeps access tokens, so that one process fetches and all others read. */
export interface TokenStore {
  read(key: string): Promise<AccessToken | undefined>;
  write(key: string, token: AccessToken): Promise<void>;
  /** Removes the token only if it is still the given one. */
  drop(key: string, value: string): Promise<void>;
  /** The name of its claim for the one process that may fetch; the claim lapses by itself after `ms`. */
  claim(key: string, ms: number): Promise<string | undefined>;
  /** Removes the claim only if it is still the given one. */
  release(key: string, claim: string): Promise<void>;
}
