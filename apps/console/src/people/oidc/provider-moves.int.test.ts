import { createServer, type Server } from 'node:http';
import { freePort, until } from '@pushfleet/testing';
import { openBrowser } from '../../testing/browser';
import { consoleHarness } from '../../testing/console-harness';

const env: Record<string, string> = {
  CONSOLE_PUBLIC_URL: 'https://console.example.com',
  CONSOLE_OIDC_CLIENT_ID: 'a',
  CONSOLE_OIDC_CLIENT_SECRET: 'a secret',
  CONSOLE_OIDC_ROLES: '[{"value": "x", "role": "viewer"}]',
};
const HOUR_MS = 3_600_000;
const told: string[] = [];
const tell = (_facts: unknown, words: string): number => told.push(words);
const log = { info: tell, warn: tell, error: tell };
let now = Date.now();
let server: Server;
let isAway = false;
let path = '/before';

beforeAll(async () => {
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  env['CONSOLE_OIDC_ISSUER'] = issuer;
  server = createServer((_, res) => {
    res.writeHead(isAway ? 503 : 200, { 'content-type': 'application/json' });
    const [authorization, token] = [`${issuer}${path}/auth`, `${issuer}${path}/token`];
    res.end(JSON.stringify({ issuer, authorization_endpoint: authorization, token_endpoint: token }));
  });
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const admin = consoleHarness({ env, oidc: { now: () => now, log: log as never } });

it('a provider that moves is found after an hour, and one that is away then is asked where it was', async () => {
  const browser = openBrowser(admin);
  const door = async (): Promise<string> => {
    const { status, body } = await browser.call('POST', '/session/oidc');
    expect(status).toBe(200);
    return new URL(String(body['url'])).pathname;
  };
  expect(await door()).toBe('/before/auth');
  path = '/after';
  now += HOUR_MS - 1000;
  expect(await door()).toBe('/before/auth');
  now += 2000;
  await until(async () => (await door()) === '/after/auth');

  isAway = true;
  now += HOUR_MS + 1000;
  const words = ['people may sign in at the OpenID Connect provider'];
  const away = 'the OpenID Connect provider is away: what it told before holds';
  for (let looks = 1; looks <= 2; looks += 1, now += 10_000) {
    expect(await door()).toBe('/after/auth');
    words.push(away);
    await until(() => told.length === words.length);
    expect(told).toEqual(words);
  }
  expect(await door()).toBe('/after/auth');
  expect((await browser.call('GET', '/session/ways')).body['oidc']).toBe('ready');
});
