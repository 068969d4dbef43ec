import { createHmac } from 'node:crypto';
import { canonicalRequest, type SignedRequest } from './canonical-request';

/** Hash by algorithm name (draft-ietf-oauth-v2-http-mac-01, section 3.2; the vendor issues hmac-sha-1). */
const HASHES = { 'hmac-sha-1': 'sha1', 'hmac-sha-256': 'sha256' } as const;

export type MacAlgorithm = keyof typeof HASHES;

export const MAC_ALGORITHMS = Object.keys(HASHES) as readonly MacAlgorithm[];

export const isMacAlgorithm = (name: string): name is MacAlgorithm => Object.hasOwn(HASHES, name);

export interface MacSecret {
  /** Used as its UTF-8 bytes; it is not base64 even where it looks so. */
  readonly macKey: string;
  readonly macAlgorithm: MacAlgorithm;
}

/** The four attributes of the header (User Information API, Authentication). */
export interface MacHeader {
  /** The access token, or the key id: the two are equal unless the issuer says otherwise. */
  readonly id: string;
  /** Whole seconds since the epoch, decimal digits. */
  readonly ts: string;
  readonly nonce: string;
  /** Standard base64. */
  readonly mac: string;
}

/** HMAC of a text, as standard base64. */
export const computeMac = (text: string, { macKey, macAlgorithm }: MacSecret): string =>
  createHmac(HASHES[macAlgorithm], macKey).update(text).digest('base64');

/** The MAC of a request (User Information API, Authentication, rule 5). */
export const signRequest = (request: SignedRequest, secret: MacSecret): string =>
  computeMac(canonicalRequest(request), secret);

/** The value of the Authorization header. */
export const formatMacHeader = ({ id, ts, nonce, mac }: MacHeader): string =>
  `MAC id="${id}",ts="${ts}",nonce="${nonce}",mac="${mac}"`;
