import { isChannelFault } from '@pushfleet/channel-kit';
import { answerFixtures, cannedVendor } from '@pushfleet/channel-kit/testing';
import { fetchToken, signOf } from './token';

const PROFILE = {
  appId: '10004',
  appKey: '25509283-3767-4b9e-83fe-b6e55ac6243e',
  appSecret: '7265f2a4-ebbb-44bf-88b9-b03e67dfdc21',
};
const NOW = 1_501_484_120_000;
const never = new AbortController().signal;

const { text } = answerFixtures(__dirname);

const depsWith = (body: string) => cannedVendor(body, NOW, { VIVO_PUSH_URL: 'http://vivo.test' });

it('the sign is that of the sample of the vendor', () => {
  expect(signOf({ ...PROFILE, timestamp: NOW })).toBe('fe3b46a2befc60334c2388676a752bd6');
});

it('a token is asked for without the secret and kept for a day less a margin', async () => {
  const deps = depsWith(text('auth'));
  expect(await fetchToken(PROFILE, deps, never)).toEqual({
    value: '24ecd4ea-5bd5-4a2c-9d0e-8c7a3b1f0e55',
    expiresAt: NOW + 86_400_000 - 600_000,
  });
  expect(deps.requests[0]?.url).toBe('http://vivo.test/message/auth');
  expect(JSON.parse(deps.requests[0]?.body ?? '')).toEqual({
    appId: 10004,
    appKey: PROFILE.appKey,
    timestamp: NOW,
    sign: 'fe3b46a2befc60334c2388676a752bd6',
  });
});

it.each([
  [text('auth-sign-wrong'), 'credentials-rejected'],
  ['{"result":10207,"desc":"timestamp"}', 'credentials-rejected'],
  ['{"result":10072,"desc":"fast"}', 'throttled'],
  ['{"result":0,"desc":"ok"}', 'vendor-error'],
  ['{"result":0,"desc":"ok","authToken":"t\\r\\nx"}', 'vendor-error'],
  ['{"result":0,"desc":"ok","authToken":"t中"}', 'vendor-error'],
])('the auth answer %s is the fault %s', async (body, code) => {
  const error: unknown = await fetchToken(PROFILE, depsWith(body), never).catch((reason: unknown) => reason);
  expect(isChannelFault(error) && error.code).toBe(code);
  expect(JSON.stringify(error)).not.toContain(PROFILE.appSecret);
});
