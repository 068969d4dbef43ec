import { BoundedMap } from './bounded-map';

const MAX_TOKENS = 10_000;

export interface IssuedToken {
  readonly value: string;
  /** The app, or the client, that it was given to. */
  readonly owner: string;
  readonly issuedAt: number;
}

export interface TokenRules {
  readonly now: () => number;
  readonly lifeMs: number;
  /** How long a token works beyond its life, beside its successor. */
  readonly overlapMs?: number;
  /** An owner gets the same token again until its life ends. */
  readonly isReused?: boolean;
  /** The vendor's way to write one. */
  readonly nameOf: (owner: string, serial: number) => string;
}

/** The access tokens that a vendor gave. */
export class TokenDesk {
  private readonly byValue = new BoundedMap<IssuedToken>(MAX_TOKENS);
  private readonly current = new BoundedMap<IssuedToken>(MAX_TOKENS);
  private serial = 0;
  /** Expired, whatever their age. */
  private ended = new Set<string>();

  constructor(private readonly rules: TokenRules) {}

  issue(owner: string): IssuedToken {
    const { now, isReused = false, lifeMs, nameOf } = this.rules;
    const known = this.current.get(owner);
    if (isReused && known && this.isAlive(known, lifeMs)) return known;
    this.serial += 1;
    const token = { value: nameOf(owner, this.serial), owner, issuedAt: now() };
    this.byValue.set(token.value, token);
    this.current.set(owner, token);
    return token;
  }

  /** The owner of a token that works, or why it does not. */
  ownerOf(value: string | undefined): { readonly owner: string } | 'expired' | 'unknown' {
    const token = this.byValue.get(value ?? '');
    if (token === undefined) return 'unknown';
    const { lifeMs, overlapMs = 0 } = this.rules;
    return this.isAlive(token, lifeMs + overlapMs) ? { owner: token.owner } : 'expired';
  }

  /** Every token given so far is expired. */
  expireAll(): void {
    this.ended = new Set(this.byValue.keys());
  }

  private isAlive({ value, issuedAt }: IssuedToken, lifeMs: number): boolean {
    return !this.ended.has(value) && this.rules.now() < issuedAt + lifeMs;
  }
}
