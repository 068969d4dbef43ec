import { setTimeout as delay } from 'node:timers/promises';
import { LIMITS, type AppScope, type Role } from '@pushfleet/domain';
import { openPasswords } from '../people/password';
import { openBrowser, type Browser } from '../testing/browser';
import { ADMIN_TOKEN, consoleHarness, INGRESS_URL, type Answer } from '../testing/console-harness';

let now = Date.now();
const admin = consoleHarness({ ports: { now: () => now } });

const PASSWORD = 'a sentence that is easy to keep';

/** Of all passwords the same: to hash one takes longer than all the rest. */
let passwordHash: Promise<string> | undefined;

async function aPerson(name: string, role: Role = 'viewer', apps: AppScope = 'all'): Promise<void> {
  passwordHash ??= openPasswords().hash(PASSWORD);
  const person = { name, role, apps, passwordHash: await passwordHash, generation: ++generation, createdAt: 0 };
  expect(await admin.store.people.persons.add(name, person)).toBe('added');
}

let generation = 0;

async function signedIn(name: string): Promise<Browser> {
  const browser = openBrowser(admin);
  expect((await browser.signIn(name, PASSWORD)).status).toBe(200);
  return browser;
}

/** A browser that keeps the cookie of a session that is over. */
async function endedBy(browser: Browser): Promise<Browser> {
  const { cookie } = browser;
  await browser.call('DELETE', '/session');
  browser.cookie = cookie;
  return browser;
}

const whoAmI = async (browser: Browser): Promise<unknown> => {
  const { status, body } = await browser.call('GET', '/session');
  return status === 200 ? body['by'] : status;
};

const ANN = { by: 'person Ann', person: 'Ann', role: 'sender', apps: ['anAppOfAnn'] };

describe('signing in', () => {
  it('tells who is not signed in how to, and nothing else', async () => {
    const { body } = await openBrowser(admin).call('GET', '/session/ways');
    expect(body).toEqual({ oidc: 'off' });
  });

  it('tells who one is, and sets a cookie that no script reads and no other site sends', async () => {
    await aPerson('Ann', 'sender', ['anAppOfAnn']);
    const browser = openBrowser(admin);
    const { status, headers, body } = await browser.signIn('ann', PASSWORD);
    expect([status, body]).toEqual([200, { ...ANN, ingressUrl: INGRESS_URL }]);
    const [cookie = ''] = headers.getSetCookie();
    for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/api/v1']) expect(cookie).toContain(part);
    expect(await whoAmI(browser)).toBe('person Ann');
  });

  it('holds whatever cookies of the same name another host of the domain has planted before it', async () => {
    await aPerson('Beside');
    await aPerson('Planter');
    const [browser, planter] = [openBrowser(admin), await signedIn('Planter')];
    const planted = [
      ...['pushfleet=x', 'pushfleet=s%3Aabc.def', 'pushfleet=s:%zz.%zz', 'pushfleet="', 'pushfleet='],
      // Signed, by somebody who may sign in as well.
      (await endedBy(planter)).cookie,
    ].join('; ');
    const comesWith = async (method: string, cookie: string, body?: unknown): Promise<Answer> => {
      const headers = { 'x-pushfleet-console': '1', cookie: `a=1; ${planted}; ${cookie}; b=2` };
      browser.cookie = '';
      return browser.call(method, '/session', body, headers);
    };
    expect((await comesWith('GET', 'c=3')).status).toBe(401);
    const begun = await comesWith('POST', 'c=3', { name: 'Beside', password: PASSWORD });
    expect(begun.status).toBe(200);
    const own = browser.cookie;
    expect((await comesWith('GET', own)).body).toMatchObject({ by: 'person Beside' });
    expect((await comesWith('DELETE', own)).status).toBe(200);
    expect((await comesWith('GET', own)).status).toBe(401);
  });

  it('takes a name with the blank that a keyboard writes behind it, and a password as it is', async () => {
    await aPerson('Anka');
    expect((await openBrowser(admin).signIn('Anka ', PASSWORD)).status).toBe(200);
    expect((await openBrowser(admin).signIn('Anka', `${PASSWORD} `)).status).toBe(401);
    expect((await openBrowser(admin).signIn('  ', PASSWORD)).status).toBe(400);
  });

  it.each(['अनिल', 'ดำ', 'Jose\u0301'])('is for people of every script: %s', async (name) => {
    const made = await admin.call('POST', '/people', { name, password: PASSWORD, role: 'viewer' });
    expect(made.status).toBe(201);
    expect((await openBrowser(admin).signIn(name, PASSWORD)).status).toBe(200);
  });

  it('is done at every spelling of its address that the router takes', async () => {
    await aPerson('Anton');
    for (const path of ['/session/', '/SESSION']) {
      const browser = openBrowser(admin);
      // A caller with a token of its own has a session for this alone.
      const headers = { 'x-pushfleet-console': '1', authorization: `Bearer ${ADMIN_TOKEN}` };
      const { status } = await browser.call('POST', path, { name: 'Anton', password: PASSWORD }, headers);
      expect([path, status, await whoAmI(browser)]).toEqual([path, 200, 'person Anton']);
    }
  });

  it('takes the admin token as the password of nobody, and of nobody else', async () => {
    await aPerson('Berta');
    const browser = openBrowser(admin);
    expect((await browser.signIn('Berta', ADMIN_TOKEN)).status).toBe(401);
    expect(await browser.signIn('admin', ADMIN_TOKEN)).toMatchObject({ status: 200, body: { role: 'owner' } });
    expect(await whoAmI(browser)).toBe('admin-token');
  });

  it('tells neither whether there is such a person, nor how a password must look', async () => {
    await aPerson('Carl');
    const [wrong, unknown] = [
      await openBrowser(admin).signIn('Carl', 'x'),
      await openBrowser(admin).signIn('nil', 'x'),
    ];
    expect(wrong.body).toEqual(unknown.body);
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
  });

  it.each([
    [{}],
    [{ name: 'x' }],
    [{ name: 1, password: 2 }],
    [{ link: '' }],
    [['x']],
    [{ name: 'x', password: 'y'.repeat(257) }],
  ])('refuses %j', async (body) => expect((await openBrowser(admin).call('POST', '/session', body)).status).toBe(400));

  it('is refused for a while to who guesses, with the right password too', async () => {
    await aPerson('Dora');
    const browser = openBrowser(admin);
    for (let i = 0; i < LIMITS.signInsPerName.value; i += 1) await browser.signIn('DORA', `guess ${i}`);
    const { status, headers } = await browser.signIn('Dora', PASSWORD);
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(60);
  });
});

describe('a session', () => {
  it('ends with its browser’s wish, and its cookie is worth nothing then', async () => {
    await aPerson('Emil');
    const browser = await signedIn('Emil');
    const { cookie } = browser;
    expect((await browser.call('DELETE', '/session')).headers.getSetCookie()[0]).toContain('Max-Age=0');
    browser.cookie = cookie;
    expect(await whoAmI(browser)).toBe(401);
  });

  it('ends everywhere at once', async () => {
    await aPerson('Fritz');
    const [one, other] = [await signedIn('Fritz'), await signedIn('Fritz')];
    expect((await one.call('DELETE', '/people/fritz/sessions')).status).toBe(200);
    expect([await whoAmI(one), await whoAmI(other)]).toEqual([401, 401]);
  });

  it('ends with another password, with its person, and does not come back with a new one of the name', async () => {
    await aPerson('Gerd');
    const one = await signedIn('Gerd');
    const change = { password: 'another sentence that is kept', current: PASSWORD };
    expect((await one.call('PUT', '/people/Gerd/password', { ...change, current: 'wrong' })).status).toBe(409);
    expect((await one.call('PUT', '/people/Gerd/password', change)).status).toBe(200);
    expect(await whoAmI(one)).toBe(401);
    expect((await one.signIn('Gerd', change.password)).status).toBe(200);
    await admin.call('DELETE', '/people/Gerd');
    expect(await whoAmI(one)).toBe(401);
    await admin.call('POST', '/people', { name: 'Gerd', password: PASSWORD, role: 'owner' });
    expect(await whoAmI(one)).toBe(401);
  });

  it.each([
    { name: 'Ugo', method: 'PUT', what: 'password', body: { password: 'the sentence of an owner' } },
    { name: 'Udo', method: 'DELETE', what: 'sessions', body: undefined },
  ])('undoes with a change that is under way nothing of what an owner decides: $what', async (row) => {
    const { name, method, what, body } = row;
    await aPerson(name);
    const browser = await signedIn(name);
    const change = { password: 'another sentence that is kept', current: PASSWORD };
    const own = browser.call('PUT', `/people/${name}/password`, change);
    // Less than it takes to look at the current password.
    await delay(50);
    expect((await admin.call(method, `/people/${name}/${what}`, body)).status).toBe(200);
    expect([401, 409]).toContain((await own).status);
    expect((await browser.signIn(name, body?.password ?? PASSWORD)).status).toBe(200);
  });

  it('guesses no password of its own person: wrong ones are counted as at the door', async () => {
    await aPerson('Runa');
    const browser = await signedIn('Runa');
    const change = { password: 'another sentence that is kept', current: PASSWORD };
    for (let i = 0; i < LIMITS.signInsPerName.value; i += 1)
      expect((await browser.call('PUT', '/people/runa/password', { ...change, current: `guess ${i}` })).status).toBe(
        409,
      );
    const { status, headers } = await browser.call('PUT', '/people/Runa/password', change);
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(60);
    expect(await whoAmI(browser)).toBe('person Runa');
  });

  it('ends after its life, however busy it is', async () => {
    await aPerson('Hans');
    const browser = await signedIn('Hans');
    now += 86_400_000 - 1000;
    expect(await whoAmI(browser)).toBe('person Hans');
    now += 2000;
    expect(await whoAmI(browser)).toBe(401);
  });

  it('ends when nothing is done in it', async () => {
    await aPerson('Ida');
    const browser = await signedIn('Ida');
    const [key = ''] = await newestSession();
    expect(await admin.redis.pttl(key)).toBeLessThanOrEqual(3_600_000);
    await admin.redis.pexpire(key, 600_000);
    await browser.call('GET', '/session');
    expect(await admin.redis.pttl(key)).toBeGreaterThan(600_000);
    await admin.redis.del(key);
    expect(await whoAmI(browser)).toBe(401);
  });

  it('is not kept by a page that nobody touches', async () => {
    await aPerson('Iris');
    const browser = await signedIn('Iris');
    const [key = ''] = await newestSession();
    // A page that is read at 200,000 ms before the end, then one that somebody uses.
    await admin.redis.pexpire(key, 200_000);
    const automatic = { 'x-pushfleet-console': '1', 'x-pushfleet-refresh': 'automatic' };
    expect((await browser.call('GET', '/session', undefined, automatic)).status).toBe(200);
    expect(await admin.redis.pttl(key)).toBeLessThanOrEqual(200_000);
    expect((await browser.call('GET', '/session')).status).toBe(200);
    expect(await admin.redis.pttl(key)).toBeGreaterThan(200_000);
  });

  it.each([
    ['topic=processes', 403],
    ['topic=push/other/p1', 403],
    ['topic=weather', 400],
    ['', 400],
  ])('is idle, too, where a page asks for the live stream "%s" and is answered %i', async (query, status) => {
    const name = `Jutta${status}${query.length}`;
    await aPerson(name, 'viewer', ['anApp']);
    const browser = await signedIn(name);
    const [key = ''] = await newestSession();
    await admin.redis.pexpire(key, 200_000);
    // Browsers send no header of a page with it.
    expect((await browser.call('GET', `/live?${query}`, undefined, {})).status).toBe(status);
    expect(await admin.redis.pttl(key)).toBeLessThanOrEqual(200_000);
    expect((await browser.call('GET', '/session')).status).toBe(200);
    expect(await admin.redis.pttl(key)).toBeGreaterThan(200_000);
  });

  it('has the role of its person as it is now', async () => {
    await aPerson('Jan', 'operator');
    const browser = await signedIn('Jan');
    expect((await browser.call('POST', '/apps', { name: 'x', edition: 'developer' })).status).toBe(201);
    await admin.call('PATCH', '/people/jan', { role: 'viewer' });
    expect((await browser.call('POST', '/apps', { name: 'x', edition: 'developer' })).status).toBe(403);
  });

  const newestSession = async (): Promise<string[]> => {
    const masters = 'nodes' in admin.redis ? admin.redis.nodes('master') : [admin.redis];
    const keys = (await Promise.all(masters.map((node) => node.keys(`${admin.namespace}:session:*`)))).flat();
    const lives = await Promise.all(keys.map(async (key) => [await admin.redis.pttl(key), key] as const));
    return lives.sort(([a], [b]) => b - a).map(([, key]) => key);
  };
});

describe('attacks', () => {
  it('fixation: the id that was there before the sign-in is worth nothing after it', async () => {
    await aPerson('Karl');
    const victim = await signedIn('Karl');
    const planted = victim.cookie;
    expect((await victim.signIn('Karl', PASSWORD)).status).toBe(200);
    expect(victim.cookie).not.toBe(planted);
    const attacker = openBrowser(admin);
    attacker.cookie = planted;
    expect(await whoAmI(attacker)).toBe(401);
  });

  it.each([
    ['a form of another site', { origin: 'https://evil.example', 'content-type': 'application/json' }],
    ['a form of another site that knows the header', { origin: 'https://evil.example', 'x-pushfleet-console': '1' }],
    ['a page of another port', { origin: 'http://127.0.0.1:1', 'x-pushfleet-console': '1' }],
    ['a page without origin', { origin: 'null', 'x-pushfleet-console': '1' }],
    ['a sibling', { 'sec-fetch-site': 'same-site', 'x-pushfleet-console': '1' }],
    ['no page of the console', {}],
  ])('CSRF: what %s sends with the cookie is refused', async (_name, headers) => {
    const name = `lena${Math.trunc(performance.now())}`;
    await aPerson(name, 'owner');
    const browser = await signedIn(name);
    const body = { name: 'Mallory’s', edition: 'developer' };
    expect((await browser.call('POST', '/apps', body, headers)).status).toBe(403);
    expect((await browser.call('POST', '/session', { name, password: PASSWORD }, headers)).status).toBe(403);
    expect((await browser.call('POST', '/apps', body, { 'x-pushfleet-console': '1', origin: admin.url })).status).toBe(
      201,
    );
  });

  it.each(['s%3Aforged.signature', 's%3A', 'j%3A%7B%22signedIn%22%3A%7B%7D%7D', '%00', 'x'.repeat(4000)])(
    'a forged cookie is none: %s',
    async (value) => {
      const browser = openBrowser(admin);
      browser.cookie = `pushfleet=${value}`;
      expect(await whoAmI(browser)).toBe(401);
    },
  );

  it('nobody gives a role to oneself', async () => {
    await aPerson('Mina', 'operator');
    const browser = await signedIn('Mina');
    expect((await browser.call('PATCH', '/people/Mina', { role: 'owner' })).status).toBe(403);
    const more = { password: 'another sentence that is kept', current: PASSWORD, role: 'owner' };
    expect((await browser.call('PUT', '/people/Mina/password', more)).status).toBe(400);
    expect((await browser.call('POST', '/session', { name: 'Mina', password: PASSWORD, role: 'owner' })).status).toBe(
      400,
    );
    expect((await browser.call('PUT', '/people/admin/password', { password: PASSWORD })).status).toBe(403);
    expect((await browser.call('POST', '/api-tokens', { name: 'x', role: 'owner' })).status).toBe(403);
  });
});

describe('a link of the demo', () => {
  it('signs in any number of browsers for ten minutes, and nobody with another', async () => {
    const { status, body } = await admin.call('POST', '/session/links');
    expect(status).toBe(201);
    const [, link = ''] = String(body['path']).split('#link=');
    for (const browser of [openBrowser(admin), openBrowser(admin)])
      expect(await browser.call('POST', '/session', { link })).toMatchObject({ status: 200, body: { role: 'owner' } });
    expect((await openBrowser(admin).call('POST', '/session', { link: `${link}x` })).status).toBe(401);
  });

  it('is for owners to ask for', async () => {
    await aPerson('Nora', 'operator');
    expect((await (await signedIn('Nora')).call('POST', '/session/links')).status).toBe(403);
  });
});
