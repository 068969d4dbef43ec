import { z } from 'zod';
import type { CredentialCheck } from './vendor-session';
import { hexDigest } from './digest';
import { isChannelFault } from './fault';

/** Refused credentials are the answer to a check; every other fault says nothing about them and is thrown. */
export function checkOf(fault: unknown): CredentialCheck {
  if (!isChannelFault(fault) || fault.code !== 'credentials-rejected') throw fault;
  return { ok: false, vendorCode: fault.vendorCode, vendorMessage: fault.vendorMessage };
}

/**
 * Visible characters of ASCII (RFC 6749, A.12), and no more than servers take in a header. No header could hold another token,
 * which would be kept for its whole life.
 */
export const accessTokenSchema = z.string().regex(/^[\x20-\x7e]{1,8192}$/);

/** Asks for an access token: a vendor that gives one takes the credentials for right. */
export async function verifyByToken(fetchToken: () => Promise<unknown>): Promise<CredentialCheck> {
  try {
    await fetchToken();
    return { ok: true };
  } catch (error) {
    return checkOf(error);
  }
}

/**
 * The key under which the fleet shares the access token of these credentials. Other credentials have another key, so that
 * the token of the old ones does not hide a mistake in the new ones.
 */
export function tokenKey(channel: string, ...credentials: readonly string[]): string {
  return `${channel}-${hexDigest('sha256', credentials.join('\n')).slice(0, 32)}`;
}
