import { LIMITS } from '@pushfleet/domain';
import { freePort, startOidcProvider, until } from '@pushfleet/testing';
import { openBrowser } from '../../testing/browser';
import { ADMIN_TOKEN, consoleHarness } from '../../testing/console-harness';

const CLIENT = { client_id: 'a', client_secret: 'a secret', redirect_uris: ['https://console.example.com/sign-in'] };
const env: Record<string, string> = {
  CONSOLE_PUBLIC_URL: 'https://console.example.com',
  CONSOLE_OIDC_CLIENT_ID: CLIENT.client_id,
  CONSOLE_OIDC_CLIENT_SECRET: CLIENT.client_secret,
  CONSOLE_OIDC_ROLES: '[{"value": "x", "role": "viewer"}]',
};
const told: string[] = [];
const log = {
  info: (_facts: unknown, words: string) => told.push(words),
  warn: (_facts: unknown, words: string) => told.push(words),
  error: (_facts: unknown, words: string) => told.push(words),
};
let now = Date.now();
let port: number;

beforeAll(async () => {
  port = await freePort();
  env['CONSOLE_OIDC_ISSUER'] = `http://localhost:${port}`;
});

const admin = consoleHarness({ env, oidc: { now: () => now, log: log as never } });

it('with passwords people sign in while the provider is away, the log says so, and it is found when it comes back', async () => {
  const browser = openBrowser(admin);
  const ways = async (): Promise<unknown> => (await browser.call('GET', '/session/ways')).body['oidc'];
  const going = await browser.call('POST', '/session/oidc');
  expect(going.status).toBe(503);
  expect(going.body['error']).toContain('sign in with name and password');
  expect(told).toEqual(['the OpenID Connect provider is away: people sign in with passwords']);
  expect(await ways()).toBe('away');
  expect((await browser.signIn('admin', ADMIN_TOKEN)).status).toBe(200);

  const provider = await startOidcProvider({ client: CLIENT, people: {}, port, inToken: {} });
  let url: string;
  try {
    expect((await browser.call('POST', '/session/oidc')).status).toBe(503);
    now += 10_000;
    await until(async () => (await ways()) === 'ready');
    const begun = await browser.call('POST', '/session/oidc');
    expect(begun.status).toBe(200);
    url = String(begun.body['url']);
  } finally {
    provider.stop();
  }

  // It goes away while people are there: their attempts close the door to nobody.
  const state = new URL(url).searchParams.get('state') ?? '';
  const oidc = new URLSearchParams({ state, code: 'c', iss: provider.issuer }).toString();
  for (let i = 0; i <= LIMITS.signInsPerNetwork.value; i += 1)
    expect((await browser.call('POST', '/session', { oidc })).status).toBe(503);
  expect((await browser.signIn('admin', ADMIN_TOKEN)).status).toBe(200);
});
