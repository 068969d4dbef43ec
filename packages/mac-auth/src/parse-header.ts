import { MacRefusal } from './mac-refusal';
import type { MacHeader } from './sign';

/** Greatest length of the whole header value; longer ones are refused unread. */
export const MAX_MAC_HEADER_LENGTH = 4096;

const MAX_LENGTHS: Readonly<Record<keyof MacHeader, number>> = { id: 2048, ts: 15, nonce: 128, mac: 128 };
const NAMES = Object.keys(MAX_LENGTHS) as readonly (keyof MacHeader)[];

/** RFC 9110, section 11.1: the name of a scheme is compared without case. */
const SCHEME = /^MAC[ \t]+/i;
/** draft-ietf-oauth-v2-http-mac-01, section 3.1: a value is printable ASCII without quotation mark and backslash. */
const ATTRIBUTE = /[ \t]*([A-Za-z0-9_-]+)[ \t]*=[ \t]*"([ !#-[\]-~]*)"[ \t]*(,|$)/y;
const DIGITS = /^\d+$/;

/**
 * Reads the value of an Authorization header: attributes in any order, white space around them optional.
 * Throws `MacRefusal` (`invalid_request`) for a header that is absent or too long, for another scheme, and for an
 * attribute that is missing, repeated, unknown, empty, too long or, for `ts`, not a number.
 */
export function parseMacHeader(value: string | undefined): MacHeader {
  if (value === undefined || value === '') throw refusal('the Authorization header is missing');
  if (value.length > MAX_MAC_HEADER_LENGTH)
    throw refusal(`the Authorization header is longer than ${MAX_MAC_HEADER_LENGTH} characters`);
  const scheme = SCHEME.exec(value)?.[0];
  if (scheme === undefined) throw refusal('the Authorization header is not of the scheme MAC');
  const found = readAttributes(value, scheme.length);
  const missing = NAMES.filter((name) => found[name] === undefined);
  if (missing.length > 0) throw refusal(`the Authorization header lacks ${missing.join(', ')}`);
  const header = found as MacHeader;
  if (!DIGITS.test(header.ts)) throw refusal('ts is not a whole number of seconds since the epoch');
  return header;
}

function readAttributes(value: string, start: number): Partial<Record<keyof MacHeader, string>> {
  const found: Partial<Record<keyof MacHeader, string>> = {};
  ATTRIBUTE.lastIndex = start;
  for (let separator: string | undefined = ','; separator === ',';) {
    const [, name, text, next] = ATTRIBUTE.exec(value) ?? [];
    if (name === undefined || text === undefined) throw refusal('the Authorization header is malformed');
    const known = NAMES.find((candidate) => candidate === name.toLowerCase());
    if (known === undefined) throw refusal('the Authorization header has an unknown attribute');
    if (found[known] !== undefined) throw refusal(`${known} is given more than once`);
    if (text === '') throw refusal(`${known} is empty`);
    if (text.length > MAX_LENGTHS[known]) throw refusal(`${known} is longer than ${MAX_LENGTHS[known]} characters`);
    found[known] = text;
    separator = next;
  }
  return found;
}

const refusal = (message: string): MacRefusal => new MacRefusal('invalid_request', message);
