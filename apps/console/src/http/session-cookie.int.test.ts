import { keysIn } from '@pushfleet/testing';
import { openBrowser } from '../testing/browser';
import { ADMIN_TOKEN, consoleHarness } from '../testing/console-harness';

const admin = consoleHarness({ ports: { proxyHops: 1 } });

it.each([
  ['https', true],
  ['http', false],
])('behind a trusted proxy that was asked by %s, the cookie is for TLS only: %s', async (scheme, isSecure) => {
  const headers = { 'x-pushfleet-console': '1', 'x-forwarded-proto': scheme, 'x-forwarded-for': '192.0.2.1' };
  const answer = await openBrowser(admin).call('POST', '/session', { name: 'admin', password: ADMIN_TOKEN }, headers);
  expect(answer.status).toBe(200);
  expect(/; Secure/.test(answer.headers.getSetCookie()[0] ?? '')).toBe(isSecure);
});

it('a link of the demo is worth nothing from another machine', async () => {
  const local = { 'x-pushfleet-console': '1', 'x-forwarded-for': '127.0.0.1', authorization: `Bearer ${ADMIN_TOKEN}` };
  const { body } = await openBrowser(admin).call('POST', '/session/links', undefined, local);
  const [, link] = String(body['path']).split('#link=');
  const far = { 'x-pushfleet-console': '1', 'x-forwarded-for': '192.0.2.1' };
  expect((await openBrowser(admin).call('POST', '/session', { link }, far)).status).toBe(401);
  const near = { ...far, 'x-forwarded-for': '127.0.0.1' };
  expect((await openBrowser(admin).call('POST', '/session', { link }, near)).status).toBe(200);
});

it.each(['no JSON', '5', '{"cookie":{}'])(
  'a session that says %j in Redis signs in nobody, and can be begun anew',
  async (text) => {
    const browser = openBrowser(admin);
    const headers = { 'x-pushfleet-console': '1', 'x-forwarded-for': '192.0.2.1' };
    const signIn = () => browser.call('POST', '/session', { name: 'admin', password: ADMIN_TOKEN }, headers);
    expect((await signIn()).status).toBe(200);
    for (const key of await keysIn(admin.redis, `${admin.namespace}:session:*`)) await admin.redis.set(key, text);
    expect((await browser.call('GET', '/session', undefined, headers)).status).toBe(401);
    expect((await signIn()).status).toBe(200);
    expect((await browser.call('GET', '/session', undefined, headers)).status).toBe(200);
  },
);
