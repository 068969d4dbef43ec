/** What a MAC is computed over, in the spelling of the wire: nothing is decoded, re-encoded or sorted. */
export interface SignedRequest {
  /** Whole seconds since the epoch, decimal digits, as the header carries them. */
  readonly ts: string;
  readonly nonce: string;
  /** In upper case. */
  readonly method: string;
  /** The request target in origin form: path, and query with its `?`. */
  readonly uri: string;
  /** In lower case, without port. */
  readonly host: string;
  /** 443 for https and 80 for http unless the address names another. */
  readonly port: number;
  /** Extension string; the user information API keeps it empty. */
  readonly ext?: string;
}

/**
 * The signature base string: seven values, each followed by a line feed, so that an empty extension leaves an empty
 * last line (draft-ietf-oauth-v2-http-mac-01, section 3.2.1; User Information API, Authentication, rule 3).
 */
export function canonicalRequest({ ts, nonce, method, uri, host, port, ext = '' }: SignedRequest): string {
  return `${ts}\n${nonce}\n${method}\n${uri}\n${host}\n${port}\n${ext}\n`;
}
