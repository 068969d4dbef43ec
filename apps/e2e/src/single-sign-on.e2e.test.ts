import { FleetProcesses, freePort, startOidcProvider, startRedisServer, type OidcProvider } from '@pushfleet/testing';
import type { Browser } from 'playwright-core';
import { openChromium, openPage, overflowOf, seriousFaults, type Watched } from './testing/console-browser';

let browser: Browser;
let provider: OidcProvider;
let console: FleetProcesses;
let url: string;

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const client = { client_id: 'pushfleet', client_secret: 'a secret of the tests', redirect_uris: [`${url}/sign-in`] };
  const people = { ann: { name: 'Ann', groups: ['push'] }, carl: { name: 'Carl', groups: ['canteen'] } };
  [browser, provider] = await Promise.all([openChromium(), startOidcProvider({ client, people })]);
  console = new FleetProcesses(await startRedisServer({}), {
    ...{ CONSOLE_PORT: String(port), CONSOLE_PUBLIC_URL: url, CONSOLE_OIDC_ISSUER: provider.issuer },
    ...{ CONSOLE_OIDC_CLIENT_ID: client.client_id, CONSOLE_OIDC_CLIENT_SECRET: client.client_secret },
    CONSOLE_OIDC_ROLES: JSON.stringify([{ value: 'push', role: 'operator' }]),
  });
  await console.run('console');
  // It compresses the pages when the first browser asks.
  await fetch(url);
});

afterAll(async () => {
  await browser?.close();
  provider?.stop();
  await console?.stop();
});

/** From the page of the console over that of the provider, which is another site, and back. */
async function signIn({ page, wrongs }: Watched, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with single sign-on' }).click();
  await page.waitForURL(`${provider.issuer}/**`);
  await page.locator('input[name=login]').fill(name);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.waitForURL(`${url}/**`);
  // The page of the provider asks for fonts that are not there.
  wrongs.length = 0;
}

it('signs in over the provider to the page that was asked for, and signs out', async () => {
  const watched = await openPage(browser, { width: 390, lang: 'en' });
  const { page, context, wrongs } = watched;
  await page.goto(`${url}/settings`);
  await page.getByRole('button', { name: 'Sign in with single sign-on' }).waitFor();
  expect(await seriousFaults(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  await signIn(watched, 'ann');
  await page.getByText('sso Ann (ann) · Operator').waitFor();
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/settings');
  const cookies = await context.cookies(`${url}/api/v1/session`);
  expect(cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))).toEqual([
    { name: 'pushfleet', httpOnly: true, sameSite: 'Strict' },
  ]);
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('dialog').getByText('Your session is over').waitFor();
  expect(wrongs).toEqual([]);
  await context.close();
});

it('tells in plain words who has no role, and keeps nothing of the answer in the address', async () => {
  const watched = await openPage(browser, { width: 1280, lang: 'en' });
  const { page, context, wrongs } = watched;
  await page.goto(`${url}/`);
  await signIn(watched, 'carl');
  await page.getByText('the provider knows you as Carl, but nothing in your "groups" gives you a role here').waitFor();
  expect(new URL(page.url()).search).toBe('');
  expect(wrongs).toEqual([]);
  await context.close();
});
