import {
  ChannelFault,
  faultOfStatus,
  type AccessToken,
  type VendorHttp,
  type VendorResponse,
} from '@pushfleet/channel-kit';
import { z } from 'zod';
import { tryJson } from './json';
import { type HonorProfile } from './profile';

const tokenSchema = z.looseObject({ access_token: z.string().min(1), expires_in: z.number().positive() });

const word = z.union([z.string(), z.number()]).optional().catch(undefined);
const refusalSchema = z.looseObject({ error: word, error_description: word });

/** A token is given up this much before the vendor does, so that none expires on its way. */
const MARGIN_MS = 60_000;

export interface TokenCall {
  readonly http: VendorHttp;
  readonly origin: string;
  readonly now: () => number;
  readonly profile: Pick<HonorProfile, 'clientId' | 'clientSecret'>;
}

export async function requestToken(call: TokenCall, signal: AbortSignal): Promise<AccessToken> {
  const { http, origin, profile, now } = call;
  const form = { grant_type: 'client_credentials', client_id: profile.clientId, client_secret: profile.clientSecret };
  const response = await http.request({
    method: 'POST',
    isHarmless: true,
    url: `${origin}/auth/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    signal,
  });
  return readToken(response, now());
}

export function readToken(response: VendorResponse, now: number): AccessToken {
  const body = tryJson(response.body);
  const token = tokenSchema.safeParse(body);
  if (response.status === 200 && token.success) {
    const lifeMs = token.data.expires_in * 1000;
    return { value: token.data.access_token, expiresAt: now + Math.max(lifeMs - MARGIN_MS, lifeMs / 2) };
  }
  throw faultOfStatus(response) ?? refusal(response.status, refusalSchema.safeParse(body).data);
}

/** Statuses with which an authorisation server refuses a client (RFC 6749, section 5.2); 403 is the vendor's own. */
const REFUSING = new Set([400, 401, 403]);

/**
 * Only the vendor's own words are a refusal: an answer without them, from whatever stands in between, must not end a
 * push. The body of a 2xx is never quoted: it may hold a token.
 */
function refusal(status: number, words: z.infer<typeof refusalSchema> | undefined): ChannelFault {
  if (status < 400) {
    return new ChannelFault('vendor-error', 'the token answer is unreadable', { vendorCode: String(status) });
  }
  if (!REFUSING.has(status) || words?.error === undefined) {
    return new ChannelFault('vendor-error', `no token: HTTP ${status}`, { vendorCode: String(status) });
  }
  return new ChannelFault('credentials-rejected', `no token: HTTP ${status}`, {
    vendorCode: String(words.error),
    vendorMessage: String(words.error_description ?? `HTTP ${status}`),
  });
}
