import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSessionRig } from '@pushfleet/channel-kit/testing';
import { hms } from './index';
import { makeSimulator, SIMULATOR_PROFILE } from './simulator';

const { signal } = new AbortController();
const openRig = () => openSessionRig(hms, { makeSimulator, profile: SIMULATOR_PROFILE, now: () => 1_700_000_000_000 });
const answer = (name: string, status: number) => ({
  status,
  contentType: 'application/json',
  body: readFileSync(join(__dirname, '__fixtures__', `${name}.json`), 'utf8'),
});

test('the token is asked for as the vendor documents it', async () => {
  const { session, http } = openRig();
  http.interject(answer('token', 200));
  await expect(session.verify(signal)).resolves.toEqual({ ok: true });
  const [request] = http.requests;
  expect(request?.path).toBe('/oauth2/v3/token');
  expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
    grant_type: 'client_credentials',
    client_id: SIMULATOR_PROFILE.appId,
    client_secret: SIMULATOR_PROFILE.appSecret,
  });
});

test('a refused secret is told with both codes of the vendor', async () => {
  const { session, http } = openRig();
  http.interject(answer('token-wrong-secret', 400));
  await expect(session.verify(signal)).resolves.toEqual({
    ok: false,
    vendorCode: '1101/20051',
    vendorMessage: 'invalid client_secret',
  });
});
