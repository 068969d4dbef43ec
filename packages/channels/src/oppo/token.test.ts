import { isChannelFault, type ChannelFault } from '@pushfleet/channel-kit';
import { answerFixtures, cannedVendor } from '@pushfleet/channel-kit/testing';
import { fetchToken, signOf } from './token';

const PROFILE = { appKey: 'AK_demo', masterSecret: 'MS_demo' };
const CREATED_AT = 1_700_000_000_000;
const HOUR_MS = 3_600_000;
const never = new AbortController().signal;

const depsAt = (now: number, body: string) => cannedVendor(body, now, { OPPO_PUSH_URL: 'http://oppo.test' });

const issued = answerFixtures(__dirname).text('auth');

async function faultOf(body: string): Promise<ChannelFault> {
  const error: unknown = await fetchToken(PROFILE, depsAt(CREATED_AT, body), never).catch((reason: unknown) => reason);
  if (isChannelFault(error)) return error;
  throw new Error('a fault was expected');
}

it('the sign joins key, time and secret', () => {
  expect(signOf({ ...PROFILE, timestamp: CREATED_AT })).toBe(
    '37f106733831fa0c3353215a610feaaac5bd0af282a4e3d20a1a9f10cc99b8c4',
  );
});

it('a token expires 24 hours after its creation, less a margin, however late it is asked for', async () => {
  const deps = depsAt(CREATED_AT + 20 * HOUR_MS, issued);
  expect(await fetchToken(PROFILE, deps, never)).toEqual({
    value: '58ad47319e8d725350a5afd5',
    expiresAt: CREATED_AT + 24 * HOUR_MS - 5 * 60_000,
  });
  expect(deps.requests[0]?.url).toBe('http://oppo.test/server/v1/auth');
  expect(deps.requests[0]?.body).not.toContain(PROFILE.masterSecret);
});

it('a token in its last minutes is kept for a while instead of being asked for with every call', async () => {
  const now = CREATED_AT + 24 * HOUR_MS - 60_000;
  expect((await fetchToken(PROFILE, depsAt(now, issued), never)).expiresAt).toBe(now + 30_000);
});

it.each([
  ['{"code":16,"message":"Invalid Signature"}', 'credentials-rejected'],
  ['{"code":41,"message":"Invalid Arguments"}', 'credentials-rejected'],
  ['{"code":13,"message":"App Call Limited"}', 'throttled'],
  ['{"code":0,"message":"Success","data":{}}', 'vendor-error'],
  ['{"code":0,"message":"Success","data":{"auth_token":"t中","create_time":1}}', 'vendor-error'],
])('the auth answer %s is the fault %s', async (body, code) => {
  const fault = await faultOf(body);
  expect(fault.code).toBe(code);
  expect(`${fault.message}${fault.vendorMessage}`).not.toContain(PROFILE.masterSecret);
});
