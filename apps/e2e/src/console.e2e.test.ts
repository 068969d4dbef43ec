import { channelNames, channels } from '@pushfleet/channels';
import type { Browser, Page } from 'playwright-core';
import { Fleet, type DemoApp } from './fleet';
import {
  goWithin,
  openChromium,
  openPage,
  overflowOf,
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
    ? [[`/apps/${app.id}/profiles`, /receipts|_default/] as const, ['/audit', /createPerson/] as const]
    : []),
  [`/apps/${app.id}/pushes`, /<script>/],
  [`/apps/${app.id}/pushes/${pushId}`, /registration-gone/],
  [`/apps/${app.id}/devices`, /^android$/],
  [`/apps/${app.id}/devices/device-hms`, /hms/],
  ['/settings', new RegExp(`person ${role}`)],
];

const WIDE: View = { width: 1280, lang: 'en' };
const VIEWS: readonly View[] = [WIDE, { width: 390, lang: 'zh-CN' }];

const inBrowser = (name: string, work: (watched: Watched) => Promise<void>): void =>
  it(name, () => withPage(WIDE, work), 60_000);

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

inBrowser('what a role may not do is not there', async ({ page }) => {
  await signIn(page, 'viewer');
  expect(await page.getByRole('button', { name: 'New app' }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Audit' }).count()).toBe(0);
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
        expect(await overflowOf(page)).toBe(0);
      }),
    60_000,
  );
});
