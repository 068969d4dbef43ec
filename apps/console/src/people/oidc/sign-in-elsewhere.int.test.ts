import { signInAtProvider, startOidcProvider, type OidcProvider } from '@pushfleet/testing';
import { openBrowser, type Browser } from '../../testing/browser';
import { consoleHarness, INGRESS_URL, type Answer } from '../../testing/console-harness';

const CLIENT = {
  ...{ client_id: 'pushfleet', client_secret: 'the secret of the console' },
  redirect_uris: ['https://console.example.com/sign-in'],
};
const ROLES = [
  { value: 'push-owners', role: 'owner' },
  { value: 'shop', role: 'sender', apps: ['shopApp'] },
];
const PEOPLE = {
  'sub-ann': { preferred_username: 'ann', groups: ['staff', 'push-owners'] },
  'sub-bob': { email: 'bob@example.com', groups: ['shop'] },
  'sub-carl': { name: 'Carl (owner)', groups: ['canteen'] },
  'sub-eve': { preferred_username: 'admin-token', role: 'owner', roles: ['push-owners'], groups: { 0: 'push-owners' } },
};

// A sign-in asks the provider half a dozen times.
jest.setTimeout(120_000);

let provider: OidcProvider;
let now = Date.now();
const env: Record<string, string> = {
  CONSOLE_PUBLIC_URL: 'https://console.example.com',
  CONSOLE_OIDC_CLIENT_ID: CLIENT.client_id,
  CONSOLE_OIDC_CLIENT_SECRET: CLIENT.client_secret,
  CONSOLE_OIDC_ROLES: JSON.stringify(ROLES),
};

beforeAll(async () => {
  provider = await startOidcProvider({ client: CLIENT, people: PEOPLE });
  env['CONSOLE_OIDC_ISSUER'] = provider.issuer;
});
afterAll(() => provider.stop());

// The harness reads the settings when it starts, after the provider has.
const admin = consoleHarness({ env, ports: { now: () => now }, oidc: { now: () => now } });

/** A browser that the provider sends back, and what it brings along. */
async function sentBack(name: string): Promise<{ browser: Browser; answer: string }> {
  const browser = openBrowser(admin);
  const { status, body } = await browser.call('POST', '/session/oidc');
  expect(status).toBe(200);
  return { browser, answer: await signInAtProvider(String(body['url']), name) };
}

const bring = (browser: Browser, oidc: string): Promise<Answer> => browser.call('POST', '/session', { oidc });

async function signedIn(name: string): Promise<Browser> {
  const { browser, answer } = await sentBack(name);
  expect((await bring(browser, answer)).status).toBe(200);
  return browser;
}

const whoAmI = (browser: Browser): Promise<Answer> => browser.call('GET', '/session');

describe('signing in at the provider', () => {
  it('gives role and apps by claim, under a cookie that was not there before', async () => {
    const { browser, answer } = await sentBack('sub-bob');
    const planted = browser.cookie;
    const { status, body, headers } = await bring(browser, answer);
    const rights = { role: 'sender', apps: ['shopApp'], ingressUrl: INGRESS_URL };
    const bob = { by: 'sso bob@example.com (sub-bob)', subject: 'sub-bob', ...rights };
    expect([status, body]).toEqual([200, bob]);
    expect(browser.cookie).not.toBe(planted);
    expect(headers.getSetCookie().join()).toMatch(
      /pushfleet=s%3A.*pushfleet-oidc=; .*Max-Age=0|pushfleet-oidc=; .*pushfleet=s%3A/,
    );
    expect((await whoAmI(browser)).body).toEqual(bob);
    expect((await browser.call('POST', '/apps', { name: 'x', edition: 'developer' })).status).toBe(403);
  });

  it('is named by the audit log, and is no person of the console', async () => {
    const browser = await signedIn('sub-ann');
    expect((await browser.call('POST', '/apps', { name: 'x', edition: 'developer' })).status).toBe(201);
    const [entry] = (await admin.call('GET', '/audit?limit=1')).body['results'] as { by: string }[];
    expect(entry?.by).toBe('sso ann (sub-ann)');
    expect((await whoAmI(browser)).body).not.toHaveProperty('person');
  });

  it('says in plain words that nothing gives a role', async () => {
    const { browser, answer } = await sentBack('sub-carl');
    const { status, body } = await bring(browser, answer);
    expect(status).toBe(403);
    expect(body['error']).toMatch(
      /^the provider knows you as Carl owner, but nothing in your "groups" gives you a role/,
    );
    expect((await whoAmI(browser)).status).toBe(401);
  });

  it('tells what the provider refused', async () => {
    const { browser } = await sentBack('sub-ann');
    const { body } = await browser.call('POST', '/session/oidc');
    const state = new URL(String(body['url'])).searchParams.get('state') ?? '';
    const refused = new URLSearchParams({
      state,
      error: 'access_denied',
      error_description: '<b>no</b>',
      iss: provider.issuer,
    });
    expect(await bring(browser, refused.toString())).toMatchObject({
      status: 401,
      body: { error: 'the provider refuses: access_denied: <b>no</b>' },
    });
  });

  it('ends by signing out, everywhere at once, and by what an owner decides', async () => {
    const [one, other] = [await signedIn('sub-bob'), await signedIn('sub-bob')];
    expect((await one.call('DELETE', '/session')).status).toBe(200);
    expect([(await whoAmI(one)).status, (await whoAmI(other)).status]).toEqual([401, 200]);
    expect((await other.call('DELETE', '/single-sign-on/sub-ann/sessions')).status).toBe(403);
    expect((await other.call('DELETE', '/single-sign-on/sub-bob/sessions')).status).toBe(200);
    expect((await whoAmI(other)).status).toBe(401);
    const again = await signedIn('sub-bob');
    expect((await whoAmI(again)).status).toBe(200);
    expect((await admin.call('DELETE', '/single-sign-on/sub-bob/sessions')).status).toBe(200);
    expect((await whoAmI(again)).status).toBe(401);
  });

  it('ends for no subject that nobody signs in with, and the audit log tells of none', async () => {
    const end = (subject: string): Promise<Answer> =>
      admin.call('DELETE', `/single-sign-on/${encodeURIComponent(subject)}/sessions`);
    for (const subject of ['s'.repeat(256), 's'.repeat(12_000), 'line\nline', '\u0000', '\u202Eann'])
      expect(await end(subject)).toMatchObject({ status: 400, body: { details: [{ path: 'subject' }] } });
    expect((await end('𠮷'.repeat(255))).status).toBe(200);
    const { body } = await admin.call('GET', '/audit?limit=1');
    expect(body['results']).toEqual([expect.objectContaining({ target: expect.stringMatching(/^.{3060,3200}$/) })]);
  });

  it.each([
    ['ahead of', 300_000],
    ['behind', -300_000],
  ])('ends everywhere when the console that it began at is minutes %s the one that ends it', async (_, aheadMs) => {
    now += aheadMs;
    const browser = await signedIn('sub-bob');
    now -= aheadMs;
    expect((await whoAmI(browser)).status).toBe(200);
    expect((await admin.call('DELETE', '/single-sign-on/sub-bob/sessions')).status).toBe(200);
    expect((await whoAmI(browser)).status).toBe(401);
    now += aheadMs;
    expect((await whoAmI(browser)).status).toBe(401);
    const again = await signedIn('sub-bob');
    now -= aheadMs;
    expect((await whoAmI(again)).status).toBe(200);
  });

  it('ends after its life', async () => {
    const browser = await signedIn('sub-ann');
    now += 86_400_000;
    expect((await whoAmI(browser)).status).toBe(401);
  });
});

describe('attacks', () => {
  it('what the address of the provider holds is set by nobody who asks', async () => {
    const headers = { 'x-pushfleet-console': '1', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
    const { body } = await admin.raw(
      '/api/v1/session/oidc?redirect_uri=https://evil.example&scope=x&issuer=https://evil.example',
      {
        ...{ method: 'POST', headers },
      },
    );
    const url = new URL(String(body['url']));
    expect(url.origin).toBe(provider.issuer);
    expect(url.searchParams.getAll('redirect_uri')).toEqual(['https://console.example.com/sign-in']);
    expect(url.searchParams.get('scope')).toBe('openid profile email');
    expect(url.searchParams.get('code_challenge_method')).toBe('S256');
    expect(url.href).not.toContain('evil');
  });

  it.each<Readonly<Record<string, string>>>([
    { origin: 'https://evil.example', 'x-pushfleet-console': '1' },
    { 'content-type': 'application/json' },
  ])('CSRF at the door: another site begins no sign-in and brings no answer: %j', async (headers) => {
    const { browser, answer } = await sentBack('sub-ann');
    expect((await browser.call('POST', '/session/oidc', undefined, headers)).status).toBe(403);
    expect((await browser.call('POST', '/session', { oidc: answer }, headers)).status).toBe(403);
  });

  it('login CSRF: an answer is worth nothing in a browser that did not begin it', async () => {
    const [{ answer }, { browser: victim }] = [await sentBack('sub-eve'), await sentBack('sub-ann')];
    for (const browser of [victim, openBrowser(admin)]) {
      const { status, body } = await bring(browser, answer);
      expect([status, body['error']]).toEqual([401, 'this sign-in began in another browser, or long ago: begin again']);
    }
  });

  it('a code of one browser is worth nothing with the state of another', async () => {
    const [stolen, own] = [await sentBack('sub-ann'), await sentBack('sub-bob')];
    const mixed = new URLSearchParams(own.answer);
    mixed.set('code', new URLSearchParams(stolen.answer).get('code') ?? '');
    expect((await bring(own.browser, mixed.toString())).status).toBe(401);
  });

  it('an answer is taken once, and for ten minutes', async () => {
    const { browser, answer } = await sentBack('sub-bob');
    const bound = browser.cookie;
    expect((await bring(browser, answer)).status).toBe(200);
    browser.cookie = bound;
    expect((await bring(browser, answer)).body['error']).toBe('this sign-in is used up or too old: begin again');
    const late = await sentBack('sub-bob');
    now += 600_000;
    expect((await bring(late.browser, late.answer)).status).toBe(401);
  });

  it.each(['', '&iss=https://evil.example', '&state=x'])('an answer that was changed is none: %j', async (more) => {
    const { browser, answer } = await sentBack('sub-ann');
    const changed = more === '' ? answer.replace(/code=[^&]+/, 'code=guessed') : `${answer}${more}`;
    expect((await bring(browser, changed)).status).toBe(401);
    expect((await whoAmI(browser)).status).toBe(401);
  });

  it('no claim but the mapped one gives a role, whatever it looks like; nor does what is sent beside the answer', async () => {
    const eve = await sentBack('sub-eve');
    expect((await bring(eve.browser, `${eve.answer}&groups=push-owners&role=owner`)).status).toBe(403);
    const bob = await sentBack('sub-bob');
    const forged = { oidc: bob.answer, role: 'owner', groups: ['push-owners'] };
    expect((await bob.browser.call('POST', '/session', forged)).status).toBe(400);
    expect((await bring(bob.browser, `${bob.answer}&groups=push-owners`)).body['role']).toBe('sender');
  });

  it.each([[{ oidc: '' }], [{ oidc: 1 }], [{ oidc: 'x'.repeat(8193) }], [{ oidc: 'x', link: 'y' }]])(
    'refuses %j',
    async (body) => expect((await openBrowser(admin).call('POST', '/session', body)).status).toBe(400),
  );

  it('who brings worthless answers waits, and keeps nobody else from signing in', async () => {
    const { browser } = await sentBack('sub-bob');
    const statuses = [];
    for (let i = 0; i < 31; i += 1) statuses.push((await bring(browser, 'state=x&code=y')).status);
    expect(statuses).toContain(401);
    expect(statuses.at(-1)).toBe(429);
  });
});
