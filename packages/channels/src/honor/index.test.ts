import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSessionRig } from '@pushfleet/channel-kit/testing';
import { honor } from './index';
import { makeSimulator, SIMULATOR_PROFILE } from './simulator';

const refusal = readFileSync(join(__dirname, '__fixtures__', 'token-wrong-secret.json'), 'utf8');
const granted = readFileSync(join(__dirname, '__fixtures__', 'token.json'), 'utf8');

test.each([
  [200, granted, { ok: true }],
  [401, refusal, { vendorCode: 'invalid_client', vendorMessage: 'Invalid client or Invalid client credentials' }],
])('a token answer of HTTP %d with %s checks as %j', async (status, body, check) => {
  const rig = openSessionRig(honor, { makeSimulator, profile: SIMULATOR_PROFILE, now: () => 1_700_000_000_000 });
  rig.http.interject({ status, contentType: 'application/json', body });
  await expect(rig.session.verify(new AbortController().signal)).resolves.toMatchObject(check);
  const { clientId, clientSecret } = SIMULATOR_PROFILE;
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  expect(rig.http.requests).toMatchObject([{ path: '/auth/token', body: form.toString() }]);
});
