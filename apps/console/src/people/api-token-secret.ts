import { hash, randomBytes } from 'node:crypto';
import { isSameSecret } from '@pushfleet/service-kit';
import type { ApiToken } from '@pushfleet/store';

const PREFIX = 'pft';

export interface NewSecret {
  readonly id: string;
  /** Shown once. */
  readonly token: string;
  readonly digest: string;
}

/** `pft_`, the id, and 32 random bytes: scanners find one that leaked by how it begins. */
export function newSecret(): NewSecret {
  const id = randomBytes(6).toString('hex');
  const secret = randomBytes(32).toString('base64url');
  return { id, token: `${PREFIX}_${id}_${secret}`, digest: digestOf(secret) };
}

/** Undefined for what is no API token. */
export function readToken(text: string): { readonly id: string; readonly secret: string } | undefined {
  const [, id, secret] = /^pft_([0-9a-f]{12})_([A-Za-z0-9_-]{43})$/.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

export const isSecretOf = ({ digest }: Pick<ApiToken, 'digest'>, secret: string): boolean =>
  isSameSecret(digestOf(secret), digest);

/** A random secret needs no costly hash. */
const digestOf = (secret: string): string => hash('sha256', secret, 'base64url');
