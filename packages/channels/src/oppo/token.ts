import {
  accessTokenSchema,
  askForToken,
  ChannelFault,
  FORM_TYPE,
  hexDigest,
  originsOf,
  type FetchToken,
} from '@pushfleet/channel-kit';
import { DAY_MS } from '@pushfleet/domain';
import { z } from 'zod';
import { ANSWERS, faultOf } from './answer';
import { OK_CODE } from './codes';
import { AUTH_PATH, ENDPOINTS } from './endpoints';
import { type OppoProfile } from './profile';

const LIFE_MS = DAY_MS;
const MARGIN_MS = 5 * 60_000;
const LAST_MINUTES_MS = 30_000;

export interface SignedText extends Pick<OppoProfile, 'appKey' | 'masterSecret'> {
  /** Milliseconds since the epoch, 13 digits. */
  readonly timestamp: number;
}

/** OPPO open platform, "Auth": the three values joined without separators. */
export function signOf({ appKey, timestamp, masterSecret }: SignedText): string {
  return hexDigest('sha256', `${appKey}${timestamp}${masterSecret}`);
}

const tokenSchema = z.object({
  auth_token: accessTokenSchema,
  create_time: z.union([z.number(), z.string().regex(/^\d{1,15}$/)]).transform(Number),
});

export const fetchToken: FetchToken<OppoProfile> = async ({ appKey, masterSecret }, deps, signal) => {
  const timestamp = deps.now();
  const sign = signOf({ appKey, timestamp, masterSecret });
  const asked = {
    ...ANSWERS,
    url: `${originsOf(ENDPOINTS, deps).OPPO_PUSH_URL}${AUTH_PATH}`,
    headers: { 'content-type': FORM_TYPE },
    body: new URLSearchParams({ app_key: appKey, timestamp: String(timestamp), sign }).toString(),
  };
  const answer = await askForToken(asked, deps, signal);
  if (answer.code !== OK_CODE) throw authFault(faultOf(answer, timestamp));
  const token = tokenSchema.safeParse(answer.data);
  if (!token.success) throw new ChannelFault('vendor-error', 'oppo: no access token in the answer');
  return { value: token.data.auth_token, expiresAt: expiryOf(token.data.create_time, timestamp) };
};

/** An auth call carries nothing but credentials. */
function authFault(fault: ChannelFault): ChannelFault {
  if (fault.code !== 'message-rejected') return fault;
  const { vendorCode, vendorMessage } = fault;
  return new ChannelFault('credentials-rejected', fault.message, { vendorCode, vendorMessage });
}

/**
 * Within 24 hours the vendor gives the same token again, as old as it is; near its end asking for every call would only
 * run into the vendor's limit, so it is then kept for half a minute at a time.
 */
function expiryOf(createdAt: number, now: number): number {
  return Math.max(createdAt + LIFE_MS - MARGIN_MS, now + LAST_MINUTES_MS);
}
