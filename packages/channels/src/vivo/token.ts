import {
  accessTokenSchema,
  askForToken,
  ChannelFault,
  hexDigest,
  originsOf,
  type FetchToken,
} from '@pushfleet/channel-kit';
import { DAY_MS } from '@pushfleet/domain';
import { ANSWERS, faultOf } from './answer';
import { OK_CODE } from './codes';
import { AUTH_PATH, ENDPOINTS } from './endpoints';
import { type VivoProfile } from './profile';
import { wireAppId } from './request';

const LIFE_MS = DAY_MS;
const MARGIN_MS = 10 * 60_000;

export interface SignedText extends Pick<VivoProfile, 'appKey' | 'appSecret'> {
  readonly appId: string | number;
  /** Milliseconds since the epoch, 13 digits. */
  readonly timestamp: number;
}

/** vivo push server API 2.9.2, "Auth": the four values joined without separators. */
export function signOf({ appId, appKey, timestamp, appSecret }: SignedText): string {
  return hexDigest('md5', `${appId}${appKey}${timestamp}${appSecret}`);
}

export const fetchToken: FetchToken<VivoProfile> = async (profile, deps, signal) => {
  const { appKey, appSecret } = profile;
  const appId = wireAppId(profile);
  const timestamp = deps.now();
  const asked = {
    ...ANSWERS,
    url: `${originsOf(ENDPOINTS, deps).VIVO_PUSH_URL}${AUTH_PATH}`,
    headers: { 'content-type': 'application/json;charset=UTF-8' },
    body: JSON.stringify({ appId, appKey, timestamp, sign: signOf({ appId, appKey, timestamp, appSecret }) }),
  };
  const answer = await askForToken(asked, deps, signal);
  if (answer.result !== OK_CODE) throw faultOf(answer, timestamp);
  const token = accessTokenSchema.safeParse(answer.authToken);
  if (!token.success) throw new ChannelFault('vendor-error', 'vivo: no access token in the answer');
  return { value: token.data, expiresAt: timestamp + LIFE_MS - MARGIN_MS };
};
