import { isChannelFault } from '@pushfleet/channel-kit';
import { answerFixtures, cannedVendor } from '@pushfleet/channel-kit/testing';
import { fetchToken } from './token';

const PROFILE = { appId: '10001', appSecret: 'the secret of the app' };
const NOW = 1_700_000_000_000;
const { signal } = new AbortController();

const vendorThatSays = (body: string) => cannedVendor(body, NOW, { __NAME___AUTH_URL: 'https://auth.test' });

test('a token is asked for with the credentials, and given up a minute early', async () => {
  const vendor = vendorThatSays(answerFixtures(__dirname).text('token'));
  expect(await fetchToken(PROFILE, vendor, signal)).toEqual({ value: 't-1', expiresAt: NOW + 3_540_000 });
  expect(vendor.requests).toMatchObject([{ url: 'https://auth.test/__name__/token', isHarmless: true }]);
  expect(JSON.parse(vendor.requests[0]?.body ?? '')).toEqual(PROFILE);
});

test.each([
  ['{"code":1002,"message":"no"}', 'credentials-rejected'],
  ['{"code":3001,"message":"fast"}', 'throttled'],
  ['{"code":9999,"message":"of tomorrow"}', 'unrecognised-answer'],
  ['{"code":0}', 'vendor-error'],
])('the answer %s is the fault %s', async (body, code) => {
  const error: unknown = await fetchToken(PROFILE, vendorThatSays(body), signal).catch((reason: unknown) => reason);
  expect(isChannelFault(error) && error.code).toBe(code);
});
