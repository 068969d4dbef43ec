import type { AccessToken } from '@pushfleet/domain';
import { z } from 'zod';
import { accessTokenSchema } from './credentials';
import { ChannelFault } from './fault';
import { faultOfStatus } from './parse-answer';
import type { VendorHttp, VendorResponse } from './vendor-http';
import { vendorJson } from './vendor-json';

const tokenSchema = z.looseObject({ access_token: accessTokenSchema, expires_in: z.number().positive() });

const word = z.union([z.string(), z.number()]).optional().catch(undefined);
const refusalSchema = z.looseObject({ error: word, error_description: word });

/** Where a vendor grants tokens for client credentials (RFC 6749, section 4.4), and how it speaks. */
export interface TokenGrant {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** A token is given up this much before the vendor does, so that none expires on its way. */
  readonly marginMs: number;
  /** A field of the vendor's own that tells an `error` more closely. */
  readonly errorDetail?: string;
}

export async function requestToken(
  grant: TokenGrant,
  { http, now }: { readonly http: VendorHttp; readonly now: () => number },
  signal: AbortSignal,
): Promise<AccessToken> {
  const { url, clientId, clientSecret } = grant;
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const response = await http.request({
    method: 'POST',
    isHarmless: true,
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    signal,
  });
  return readToken(response, grant, now());
}

type Reading = Pick<TokenGrant, 'marginMs' | 'errorDetail'>;

export function readToken(response: VendorResponse, { marginMs, errorDetail }: Reading, now: number): AccessToken {
  const body = vendorJson(response.body);
  const token = tokenSchema.safeParse(body);
  if (response.status === 200 && token.success) {
    const lifeMs = token.data.expires_in * 1000;
    return { value: token.data.access_token, expiresAt: now + Math.max(lifeMs - marginMs, lifeMs / 2) };
  }
  throw faultOfStatus(response) ?? refusal(response.status, refusalSchema.safeParse(body).data, errorDetail);
}

/** Statuses with which an authorisation server refuses a client (RFC 6749, section 5.2); 403 is the vendors' own. */
const REFUSING = new Set([400, 401, 403]);

/**
 * Only the vendor's own words are a refusal: an answer without them, from whatever stands in between, must not end a
 * push. The body of a 2xx is never quoted: it may hold a token.
 */
function refusal(status: number, words: z.infer<typeof refusalSchema> | undefined, detail = ''): ChannelFault {
  if (status < 400) {
    return new ChannelFault('vendor-error', 'the token answer is unreadable', { vendorCode: String(status) });
  }
  if (!REFUSING.has(status) || words?.error === undefined) {
    return new ChannelFault('vendor-error', `no token: HTTP ${status}`, { vendorCode: String(status) });
  }
  const codes = [words.error, word.parse(words[detail])].filter((code) => code !== undefined);
  return new ChannelFault('credentials-rejected', `no token: HTTP ${status}`, {
    vendorCode: codes.join('/') || String(status),
    vendorMessage: String(words.error_description ?? `HTTP ${status}`),
  });
}
