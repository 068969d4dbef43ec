import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { channelNames, channels } from '@pushfleet/channels';
import { until } from '@pushfleet/testing';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { Fleet, type DemoApp } from './fleet';
import {
  goWithin,
  openChromium,
  openPage,
  overflowOf,
  brokenWordsOf,
  seriousFaults,
  type View,
  type Watched,
} from './testing/console-browser';

const ROLES = ['viewer', 'sender', 'operator', 'owner'] as const;
type Role = (typeof ROLES)[number];

const PASSWORD = 'a sentence that is easy to keep';
const EVIL = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
const WORDS = {
  en: { name: 'Name', password: 'Password', signIn: 'Sign in' },
  'zh-CN': { name: '用户名', password: '密码', signIn: '登录' },
} as const;

let fleet: Fleet;
let browser: Browser;
let app: DemoApp;
let foreign: DemoApp;
let pushId: string;

beforeAll(async () => {
  browser = await openChromium();
  fleet = await Fleet.start();
  app = await fleet.createApp({ name: EVIL });
  foreign = await fleet.createApp({ name: 'Somebody else’s' });
  for (const name of channelNames) {
    await fleet.call(app, ['POST', '/installations'], {
      ...{ deviceType: 'android', installationId: `device-${name}`, vendor: channels[name].vendor },
      ...{ registrationId: name === 'mi' ? 'gone-mi' : `alive-${name}`, note: EVIL },
    });
  }
  await fleet.admin('PUT', '/users/ann', { name: 'Ann' });
  await fleet.admin('PUT', '/clients/game', { name: 'Game' });
  ({ objectId: pushId } = await fleet.push(app, { data: { alert: EVIL, title: EVIL } }));
  await fleet.done(app, pushId);
  for (const role of ROLES) {
    await fleet.admin('POST', '/people', { name: role, password: PASSWORD, role });
  }
  await fleet.admin('POST', '/people', { name: 'guest', password: PASSWORD, role: 'owner', apps: [app.id] });
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await fleet?.stop();
});

const address = (path: string): string => `${fleet.url('console')}${path}`;

interface Typed {
  readonly lang?: View['lang'];
  readonly password?: string | undefined;
}

async function signIn(page: Page, name: string, { lang = 'en', password = PASSWORD }: Typed = {}): Promise<void> {
  const words = WORDS[lang];
  await page.goto(address(`/apps?lang=${lang}`));
  await page.getByLabel(words.name, { exact: true }).fill(name);
  await page.getByLabel(words.password, { exact: true }).fill(password);
  await page.getByRole('button', { name: words.signIn }).click();
  await page.getByRole('navigation').first().waitFor({ state: 'attached' });
  await page.getByRole('heading', { level: 1 }).waitFor();
}

async function withPage(view: View, work: (watched: Watched) => Promise<void>): Promise<void> {
  const watched = await openPage(browser, view);
  try {
    await work(watched);
    expect(watched.wrongs).toEqual([]);
  } catch (error) {
    const shown = await watched.page.innerText('body');
    throw new Error(`${String(error)}\nThe page showed: ${shown}\nwrongs: ${watched.wrongs.join('; ')}`, {
      cause: error,
    });
  } finally {
    await watched.context.close();
  }
}

/** Where each page is, and a text that stands on it and on no other. */
const pagesOf = (role: Role): readonly (readonly [path: string, text: RegExp])[] => [
  ['/fleet', /channel-worker/],
  ['/channels', /^hms$/],
  ['/apps', new RegExp(foreign.id)],
  [`/apps/${app.id}`, /callsPerMinute|App Key/i],
  ...(role === 'operator' || role === 'owner'
    ? ([
        [`/apps/${app.id}/profiles`, /receipts|_default/],
        ['/users', /^No user|None|Clients|客户端/],
        ['/users/ann', /^Ann$/],
        ['/audit', /createPerson/],
      ] as const)
    : []),
  ...(role === 'viewer' ? [] : [[`/apps/${app.id}/send`, /^(Silent|静默)$/] as const]),
  [`/apps/${app.id}/pushes`, /<script>/],
  [`/apps/${app.id}/pushes/${pushId}`, /registration-gone/],
  [`/apps/${app.id}/devices`, /^android$/],
  [`/apps/${app.id}/devices/device-hms`, /hms/],
  [`/apps/${app.id}/audience`, /profile-missing|Reached|可送达/],
  ['/settings', new RegExp(`person ${role}`)],
];

const WIDE: View = { width: 1280, lang: 'en' };
const VIEWS: readonly View[] = [WIDE, { width: 390, lang: 'zh-CN' }];

const inBrowser = (name: string, work: (watched: Watched) => Promise<void>): void =>
  it(name, () => withPage(WIDE, work), 180_000);

/** The addresses of the router, as it writes them; the door and the way in from nowhere aside. */
const ROUTES = [
  ...readFileSync(join(__dirname, '../../../packages/console-web/src/app.tsx'), 'utf8').matchAll(/path="([^"]+)"/g),
]
  .map(([, path = '']) => path)
  .filter((path) => path !== '/' && path !== '/sign-in');

it('walks every page that the router has, and each has an address of its own', async () => {
  const walked = pagesOf('owner').map(([path]) => path);
  const isWalked = (route: string): boolean =>
    walked.some((path) => new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`).test(path));
  expect(ROUTES.filter((route) => !isWalked(route))).toEqual([]);
  for (const path of walked) expect([path, (await fetch(address(path))).status]).toEqual([path, 200]);
});

it('sends the first page in at most 250 KB', async () => {
  const asked = { headers: { 'accept-encoding': 'gzip' } };
  const page = await (await fetch(address('/'))).text();
  const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
  const sizes = await Promise.all(
    files.map(async (path) => Number((await fetch(address(path), asked)).headers.get('content-length'))),
  );
  expect(files.length).toBeGreaterThan(1);
  expect(sizes.reduce((sum, size) => sum + size, page.length)).toBeLessThanOrEqual(250 * 1024);
});

/** Follows a link within the pages, as a reader does, so that nothing is loaded again. */
async function visit(page: Page, path: string, text: RegExp): Promise<void> {
  await goWithin(page, path);
  await page.getByRole('main').getByText(text).first().waitFor();
}

describe.each(VIEWS)('at $width px in $lang', (view) => {
  it('the door has no serious fault', () =>
    withPage(view, async ({ page }) => {
      await page.goto(address(`/?lang=${view.lang}`));
      await page.getByLabel(WORDS[view.lang].name, { exact: true }).waitFor();
      expect(await page.evaluate('document.documentElement.lang')).toBe(view.lang);
      expect(await seriousFaults(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
    }));

  it.each(ROLES)(
    'every page works for the role %s, with no serious fault, and no text becomes markup',
    (role) =>
      withPage(view, async ({ page }) => {
        await signIn(page, role, view);
        for (const [path, text] of pagesOf(role)) {
          await visit(page, path, text);
          expect([path, await page.getByRole('alert').allTextContents()]).toEqual([path, []]);
          expect([path, await overflowOf(page)]).toEqual([path, 0]);
          expect([path, await page.locator('img').count()]).toEqual([path, 0]);
          if (role === 'owner') expect([path, await seriousFaults(page)]).toEqual([path, []]);
        }
      }),
    120_000,
  );
});

inBrowser(
  'an owner creates an app, enters credentials of a vendor, tests them, and takes everything back',
  async ({ page }) => {
    await signIn(page, 'owner');
    await page.getByRole('button', { name: 'New app' }).click();
    await page.getByLabel('Name of the app').fill('First steps');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'First steps' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';

    await page.getByRole('link', { name: 'Vendor profiles' }).click();
    await page.getByRole('button', { name: 'New profile: hms' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Save' }).click();
    // The words of the API stand at the field, and what was typed stays.
    await dialog.getByLabel('appId').fill('100');
    await dialog.getByText('appSecret:').waitFor();
    await dialog.getByLabel('appSecret').fill('sim-secret');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText('The vendor accepts these credentials.').waitFor();
    await page.getByText('/push/v1/callback/hms/').waitFor();

    await page.getByRole('link', { name: 'Settings' }).last().click();
    await page.getByRole('button', { name: 'Delete this app' }).click();
    const last = page.getByRole('dialog').getByRole('button', { name: 'Delete this app' });
    expect(await last.isDisabled()).toBe(true);
    await page.getByRole('dialog').getByLabel(id).fill(id);
    await last.click();
    await page.getByRole('heading', { level: 1, name: 'Apps' }).waitFor();
    await page.getByText(id).waitFor({ state: 'detached' });
  },
);

inBrowser('an operator pauses a channel and resumes it', async ({ page }) => {
  await signIn(page, 'operator');
  await visit(page, '/channels', /^vivo$/);
  const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name: 'vivo', exact: true }) });
  await row.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
  await row.getByText('paused').waitFor();
  await row.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
  await row.getByRole('button', { name: 'Pause' }).waitFor();
});

/** Whether a live stream is open, by the requests of all tabs of a browser. */
function streamsOf(context: BrowserContext): { open: number; begun: number } {
  const streams = { open: 0, begun: 0 };
  const count = (change: number) => (request: Request) => {
    if (!request.url().includes('/api/v1/live?')) return;
    streams.open += change;
    streams.begun += Math.max(0, change);
  };
  context.on('request', count(1));
  context.on('requestfinished', count(-1));
  context.on('requestfailed', count(-1));
  return streams;
}

const setSeen = (page: Page, state: 'visible' | 'hidden') =>
  page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));`);

inBrowser('pages learn of changes by a stream that the tabs of a browser share, while one is seen', async (watched) => {
  const { page, context } = watched;
  const streams = streamsOf(context);
  await signIn(page, 'owner');
  await visit(page, '/channels', /^oppo$/);
  const other = await context.newPage();
  await other.goto(address('/channels'));
  const pausedIn = (tab: Page) =>
    tab
      .getByRole('row')
      .filter({ has: tab.getByRole('cell', { name: 'oppo', exact: true }) })
      .getByText('paused', { exact: true });
  await until(() => streams.open === 1);
  await fleet.admin('POST', '/channels/oppo/pause');
  await Promise.all([pausedIn(page).waitFor(), pausedIn(other).waitFor()]);
  await fleet.admin('POST', '/channels/oppo/resume');
  await Promise.all([pausedIn(page).waitFor({ state: 'detached' }), pausedIn(other).waitFor({ state: 'detached' })]);
  expect(streams).toEqual({ open: 1, begun: 1 });
  await setSeen(page, 'hidden');
  await until(() => streams.begun === 2);
  await setSeen(other, 'hidden');
  await until(() => streams.open === 0);
  await setSeen(other, 'visible');
  await until(() => streams.open === 1);
});

inBrowser('an operator counts what waits on a channel, discards it, and takes that back', async ({ page }) => {
  await signIn(page, 'operator');
  await visit(page, '/channels', /^honor$/);
  const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name: 'honor', exact: true }) });
  await row.getByRole('button', { name: 'Discard' }).click();
  const dialog = page.getByRole('dialog');
  const last = dialog.getByRole('button', { name: 'Discard' });
  await dialog.getByRole('button', { name: 'Count' }).click();
  await dialog.getByText('0 devices, 0 pushes').waitFor();
  expect(await last.isDisabled()).toBe(true);
  expect(await seriousFaults(page)).toEqual([]);
  await dialog.getByLabel('Type the number of devices to go on').fill('0');
  await last.click();
  await row.getByText('discarding').waitFor();
  await row.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
  await row.getByText('running').waitFor();
});

inBrowser('an operator issues a token that is shown once, and a security change ends it', async ({ page }) => {
  await signIn(page, 'operator');
  await visit(page, '/users/ann', /^Ann$/);
  await page.getByRole('button', { name: 'Issue a token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Client id').fill('game');
  await dialog.getByRole('button', { name: 'Issue a token' }).click();
  await dialog.getByText('mac_key').waitFor();
  const shown = (await dialog.locator('code').allInnerTexts())[0] ?? '';
  expect(shown).toMatch(/^1\//);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: 'game' }).waitFor();
  expect(await page.getByText(shown).count()).toBe(0);
  await page.getByRole('button', { name: 'Security change' }).click();
  await dialog.getByRole('button', { name: 'Security change' }).click();
  await page.getByRole('cell', { name: 'game' }).waitFor({ state: 'detached' });
});

inBrowser('a viewer counts what the devices of an app are, and downloads what became of each', async ({ page }) => {
  await signIn(page, 'viewer');
  await visit(page, `/apps/${app.id}/audience`, /^Reached:/);
  await page.getByLabel('Column to count by').fill('note');
  await page.getByRole('button', { name: 'Count' }).click();
  await page.getByText(`${channelNames.length} / ${channelNames.length} devices`).waitFor();
  await page.getByRole('region', { name: 'note' }).getByText('<img').first().waitFor();

  await visit(page, `/apps/${app.id}/pushes/${pushId}`, /registration-gone/);
  const link = page.getByRole('link', { name: 'Download what became of every device' });
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  expect(lines).toHaveLength(1 + channelNames.length);
  expect(lines.join(' ')).toContain('registration-gone');
});

const WAIT = { timeout: 30_000 };

/** How many devices the page says that the push reaches, once it says so; a slow machine gives it an estimate first. */
async function countedOn(page: Page): Promise<number> {
  const told = page.locator('[data-count]');
  await told.waitFor(WAIT);
  const exactly = page.getByRole('button', { name: 'Count exactly' });
  if (await exactly.isVisible()) {
    await exactly.click();
    await exactly.waitFor({ state: 'detached', ...WAIT });
    await told.waitFor(WAIT);
  }
  return Number(await told.getAttribute('data-count'));
}

async function confirmSending(page: Page, devices: number): Promise<void> {
  const name = `Send to devices: ${devices}`;
  await page.getByRole('button', { name }).click(WAIT);
  await page.getByRole('dialog').getByRole('button', { name }).click(WAIT);
}

const pushesSaying = async (alert: string): Promise<readonly string[]> => {
  const { results } = await fleet.admin<{ results: { objectId: string; msg: { alert?: string } }[] }>(
    ...(['GET', `/apps/${app.id}/pushes?limit=100`] as const),
  );
  return results.filter(({ msg }) => msg.alert === alert).map(({ objectId }) => objectId);
};

const LONG_TEXT = `Hello ${'x'.repeat(200)}`;

inBrowser('a sender writes, sees whom and what it reaches, and loses nothing by a reload', async ({ page }) => {
  await signIn(page, 'sender');
  await visit(page, `/apps/${app.id}/send`, /^Silent$/);
  await page.getByLabel('Title').fill('News');
  await page.getByLabel('Text', { exact: true }).fill(LONG_TEXT);
  const devices = await countedOn(page);
  expect(devices).toBeGreaterThan(3);
  const onVivo = page.getByRole('region', { name: 'As devices show it: vivo' });
  expect(await onVivo.innerText()).toMatch(/cut[^]*News[^]*x…/);
  expect(await seriousFaults(page)).toEqual([]);

  await page.reload();
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe(LONG_TEXT);
  expect(await countedOn(page)).toBe(devices);
});

inBrowser('a push whose answer was lost is sent once, with a word in the audit log', async ({ page, wrongs }) => {
  const alert = 'sent once';
  await signIn(page, 'sender');
  await visit(page, `/apps/${app.id}/send`, /^Silent$/);
  await page.getByLabel('Text', { exact: true }).fill(alert);
  const devices = await countedOn(page);

  // The push is taken, and its answer lost.
  await page.route('**/pushes?confirmed=*', async (route) => {
    await route.fetch();
    await route.abort();
    await page.unroute('**/pushes?confirmed=*');
  });
  await confirmSending(page, devices);
  await page.getByText('It is not known whether the push was taken.').waitFor(WAIT);
  expect(wrongs.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')]);
  await page.getByRole('dialog').getByRole('button', { name: 'Send to devices' }).click();
  await page.waitForURL(/\/pushes\/[0-9a-z]{16}$/, WAIT);
  const sent = page.url().split('/').at(-1) ?? '';
  expect(await pushesSaying(alert)).toEqual([sent]);
  expect((await fleet.done(app, sent)).devices).toBe(devices);
  await page.getByText(/Status: done/).waitFor(WAIT);

  const { results } = await fleet.admin<{ results: object[] }>('GET', '/audit?limit=1');
  const changes = { objectId: [null, sent], confirmed: [null, devices] };
  expect(results).toMatchObject([{ by: 'person sender', action: 'sendPush', changes }]);

  await page.getByRole('link', { name: 'Repeat' }).click();
  expect(await countedOn(page)).toBe(devices);
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe(alert);
  await page.getByRole('button', { name: 'Start anew' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start anew' }).click();
  await page.getByText('Write a text').waitFor();
});

inBrowser('a sender names devices, tests on one, plans a push for later and cancels it', async ({ page }) => {
  await signIn(page, 'sender');
  await visit(page, `/apps/${app.id}/devices/device-hms`, /hms/);
  await page.getByRole('link', { name: 'Send a push to it' }).click();
  await page.getByLabel('Text', { exact: true }).fill('to one');
  expect(await countedOn(page)).toBe(1);
  await page.getByLabel('installationId', { exact: true }).last().fill('device-vivo');
  await page.getByRole('button', { name: 'Send to this device' }).click();
  await page.getByText('Sent:').waitFor(WAIT);
  const [tested = ''] = await pushesSaying('to one');
  expect((await fleet.done(app, tested)).channels).toMatchObject({ vivo: { accepted: 1 } });

  await page.getByRole('switch', { name: 'Later' }).click();
  await page.getByLabel('Send at').waitFor();
  await confirmSending(page, 1);
  await page.getByText(/Status: scheduled/).waitFor(WAIT);
  await page.getByRole('button', { name: 'Cancel this push' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel this push' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden', ...WAIT });
  await page.getByRole('button', { name: 'Cancel this push' }).waitFor({ state: 'detached', ...WAIT });
});

inBrowser(
  'an operator pushes again to whom a push did not reach, retires a device and removes it',
  async ({ page }) => {
    const installationId = 'device-for-a-while';
    const device = { deviceType: 'android', installationId, vendor: 'mi', registrationId: 'alive-for-a-while' };
    await fleet.call(app, ['POST', '/installations'], device);
    await signIn(page, 'operator');
    await visit(page, `/apps/${app.id}/pushes/${pushId}`, /registration-gone/);
    await page.getByRole('link', { name: 'Push again: mi, registration-gone' }).click();
    await page.getByText('The devices of that push for this reason are filled in: 1.').waitFor(WAIT);
    expect(await page.getByLabel('Ids', { exact: true }).inputValue()).toMatch(/^[0-9A-Za-z]{16,}$/);

    await visit(page, `/apps/${app.id}/devices/${installationId}`, /mi\/_default/);
    for (const [action, then] of [
      ['Retire', 'Retired: it is no target until it saves again.'],
      ['Delete', 'Devices'],
    ] as const) {
      await page.getByRole('button', { name: action }).click();
      await page.getByRole('dialog').getByRole('button', { name: action }).click();
      await page.getByRole('main').getByText(then, { exact: true }).first().waitFor(WAIT);
    }
    expect(
      await fleet.callAsServer(app, ['GET', `/installations?where={"installationId":"${installationId}"}`]),
    ).toEqual({
      results: [],
    });
  },
);

inBrowser('what a role may not do is not there', async ({ page }) => {
  await signIn(page, 'viewer');
  expect(await page.getByRole('button', { name: 'New app' }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Audit' }).count()).toBe(0);
  await visit(page, `/apps/${app.id}/send`, /Your role does not reach so far/);
  expect(await page.getByRole('link', { name: 'Send', exact: true }).count()).toBe(0);
  await visit(page, `/apps/${app.id}/pushes/${pushId}`, /registration-gone/);
  for (const name of [/Repeat/, /Push again/, /Cancel/])
    expect([name, await page.getByRole('link', { name }).or(page.getByRole('button', { name })).count()]).toEqual([
      name,
      0,
    ]);
  await visit(page, `/apps/${app.id}`, /App id|callsPerMinute|Settings/);
  await page.getByLabel('Name of the app').waitFor();
  expect(await page.getByLabel('Name of the app').isDisabled()).toBe(true);
  for (const name of ['Save', 'Replace', 'Delete this app', 'Show'])
    expect([name, await page.getByRole('button', { name, exact: true }).count()]).toEqual([name, 0]);
});

inBrowser('a role for one app sees no other, and nothing of the fleet', async ({ page }) => {
  await signIn(page, 'guest');
  await page.getByText(app.id).waitFor();
  expect(await page.getByText(foreign.id).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Fleet' }).count()).toBe(0);
  await goWithin(page, `/apps/${foreign.id}`);
  await page.getByText('your role does not hold for this app').waitFor();
  expect(await page.getByText('Somebody else').count()).toBe(0);
});

inBrowser('a session that ends takes nothing of what was typed', async ({ page, context }) => {
  await signIn(page, 'owner');
  await visit(page, `/apps/${app.id}`, /Settings/);
  await page.getByLabel('Name of the app').fill('typed before the end');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('owner');
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(await page.getByLabel('Name of the app').inputValue()).toBe('typed before the end');
});

inBrowser('the admin token opens the door of a fleet, and signing out closes it', async ({ page }) => {
  await signIn(page, 'anybody', { password: fleet.env['ADMIN_TOKEN'] });
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
});

inBrowser('no address of another site is followed, and no other site shows a page in a frame', async ({ page }) => {
  for (const path of ['/sign-in?next=https://evil.example', '/sign-in#https://evil.example']) {
    await page.goto(address(path));
    expect(new URL(page.url()).origin).toBe(new URL(fleet.url('console')).origin);
  }
  expect((await fetch(address('//evil.example/apps'), { redirect: 'manual' })).status).toBe(404);
  const { headers } = await fetch(address('/apps'));
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  expect(headers.get('content-security-policy')).not.toContain('unsafe');
});

const NAMES_OF_REFERENCE = '.opblock-summary-path, .opblock-tag, .parameter__name, .prop-name, .property.primitive';

describe.each(VIEWS)('the reference at $width px', (view) => {
  it.each([
    { service: 'ingress', id: 'push-push', texts: ['hms', 'X-LC-Key'], tasks: ['push', 'installations'] },
    { service: 'console', id: 'profiles-putProfile', texts: ['badgeClass', 'appSecret'], tasks: ['apps', 'profiles'] },
  ])(
    'of the $service is readable, by task, with a call of each operation, and needs nothing that its policy refuses',
    ({ service, id, texts, tasks }) =>
      withPage(view, async ({ page }) => {
        await page.goto(`${fleet.url(service)}/docs`);
        const operation = page.locator(`#operations-${id}`);
        await operation.locator('.opblock-summary-control').click();
        for (const text of [...texts, 'curl -X']) await operation.getByText(text).first().waitFor();
        const shown = await page.locator('.opblock-tag').allInnerTexts();
        for (const task of tasks) expect(shown.join(' ').toLowerCase()).toContain(task);
        expect(await operation.locator('.parameter__name').count()).toBeGreaterThan(0);
        expect(await brokenWordsOf(page, NAMES_OF_REFERENCE)).toEqual([]);
        expect(await overflowOf(page)).toBe(0);
      }),
    60_000,
  );
});
