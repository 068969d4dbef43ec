import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { ROOT } from './testing/document-examples';
import { goWithin, overflowOf, seriousFaults, type View } from './testing/console-browser';
import { ConsoleScene, EVIL, ROLES, visit, type Role } from './testing/console-scene';
import { WORDS, type Words } from './testing/console-words';

const VIEWS: readonly View[] = (['en', 'zh-CN'] as const).flatMap((lang) =>
  [1280, 390].map((width) => ({ width, lang })),
);

/** A walk over all pages; nothing here needs speed. */
const TIMEOUT_MS = 300_000;

let scene: ConsoleScene;
/** A push whose time has not come, and one that a vendor refused in words of its own. */
let planned: string;
let refused: string;

beforeAll(async () => {
  scene = await ConsoleScene.open();
  const { fleet, app } = scene.setting;
  const push_time = new Date(Date.now() + 3_600_000).toISOString();
  ({ objectId: planned } = await fleet.push(app, { data: { alert: 'later' }, push_time }));
  await fleet.admin('POST', '/users/ann/tokens/game', {});
  await fleet.admin('PUT', '/users/ann/blocks/game');
  await fleet.admin('POST', '/api-tokens', { name: 'ci', role: 'viewer' });
  const answer = { status: 200, body: JSON.stringify({ code: '80100001', msg: EVIL, requestId: '1' }) };
  await fleet.simulator('PUT', '/faults', { channel: 'hms', kind: 'answer', path: 'messages:send', answer });
  ({ objectId: refused } = await fleet.push(app, { data: { alert: 'refused' }, where: { vendor: 'HMS' } }));
  await fleet.done(app, refused);
  await fleet.simulator('DELETE', '/faults?channel=hms');
});

afterAll(() => scene?.close());

const reaches = (role: Role, least: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(least);

interface Place {
  /** A text that stands on it and on no other. */
  readonly text: RegExp;
  readonly least: Role;
}

/** Every page, and whom it is for. */
const places = (): Readonly<Record<string, Place>> => {
  const { app, foreign, pushId } = scene.setting;
  const forAll = (text: RegExp): Place => ({ text, least: 'viewer' });
  const ofOperators = (text: RegExp): Place => ({ text, least: 'operator' });
  return {
    '/fleet': forAll(/channel-worker/),
    '/channels': forAll(/^hms$/),
    '/apps': forAll(new RegExp(foreign.id)),
    [`/apps/${app.id}`]: forAll(/App Key/i),
    [`/apps/${app.id}/profiles`]: ofOperators(/_default/),
    '/users': ofOperators(/^Ann$/),
    '/users/ann': ofOperators(/^Ann$/),
    '/audit': ofOperators(/createPerson/),
    [`/apps/${app.id}/send`]: { text: /^(Silent|静默)$/, least: 'sender' },
    [`/apps/${app.id}/pushes`]: forAll(/<script>/),
    [`/apps/${app.id}/pushes/${pushId}`]: forAll(/registration-gone/),
    [`/apps/${app.id}/pushes/${planned}`]: forAll(/^later$/),
    [`/apps/${app.id}/pushes/${refused}`]: forAll(/80100001 <img/),
    [`/apps/${app.id}/devices`]: forAll(/^android$/),
    [`/apps/${app.id}/devices/device-hms`]: forAll(/80100001 <img/),
    [`/apps/${app.id}/audience`]: forAll(/profile-missing|Reached|可送达/),
    '/settings': forAll(/person \w+/),
  };
};

interface Deed {
  /** The key of its word. */
  readonly word: string;
  readonly on: string;
  readonly least: Role;
  /** What it opens, or where it leads. */
  readonly as: 'dialog' | 'button' | 'link' | 'field';
  /** What of the API does it. */
  readonly call: readonly [method: string, path: string];
}

/** Everything that the pages let somebody do. */
function deeds(): readonly Deed[] {
  const { app, pushId } = scene.setting;
  const here = `/apps/${app.id}`;
  const device = `${here}/installations/device-hms`;
  const profile = `${here}/profiles/hms/_default`;
  return [
    { word: 'pause', on: '/channels', least: 'operator', as: 'dialog', call: ['POST', '/channels/hms/pause'] },
    { word: 'drain', on: '/channels', least: 'operator', as: 'dialog', call: ['POST', '/channels/hms/drain'] },
    { word: 'discard', on: '/channels', least: 'operator', as: 'dialog', call: ['POST', '/channels/hms/discard'] },
    { word: 'newApp', on: '/apps', least: 'operator', as: 'dialog', call: ['POST', '/apps'] },
    { word: 'save', on: here, least: 'operator', as: 'button', call: ['PATCH', here] },
    { word: 'rotate', on: here, least: 'owner', as: 'dialog', call: ['POST', `${here}/keys`] },
    { word: 'deleteApp', on: here, least: 'owner', as: 'dialog', call: ['DELETE', here] },
    { word: 'newProfile', on: `${here}/profiles`, least: 'operator', as: 'dialog', call: ['PUT', profile] },
    { word: 'change', on: `${here}/profiles`, least: 'operator', as: 'dialog', call: ['PUT', profile] },
    { word: 'test', on: `${here}/profiles`, least: 'operator', as: 'button', call: ['POST', `${profile}/test`] },
    { word: 'remove', on: `${here}/profiles`, least: 'operator', as: 'dialog', call: ['DELETE', profile] },
    { word: 'search', on: `${here}/pushes`, least: 'viewer', as: 'button', call: ['GET', `${here}/pushes`] },
    { word: 'downloadList', on: `${here}/pushes`, least: 'viewer', as: 'link', call: ['GET', `${here}/pushes.csv`] },
    { word: 'send', on: `${here}/pushes`, least: 'sender', as: 'link', call: ['POST', `${here}/pushes`] },
    { word: 'repeat', on: `${here}/pushes/${pushId}`, least: 'sender', as: 'link', call: ['POST', `${here}/pushes`] },
    { word: 'again', on: `${here}/pushes/${pushId}`, least: 'sender', as: 'link', call: ['POST', `${here}/pushes`] },
    {
      ...{ word: 'cancelPush', on: `${here}/pushes/${planned}`, least: 'sender', as: 'dialog' },
      call: ['DELETE', `${here}/pushes/${planned}`],
    },
    { word: 'download', on: `${here}/pushes/${pushId}`, least: 'viewer', as: 'link', call: ['GET', `${here}/pushes`] },
    { word: 'search', on: `${here}/devices`, least: 'viewer', as: 'button', call: ['GET', `${here}/installations`] },
    { word: 'look', on: `${here}/devices`, least: 'viewer', as: 'button', call: ['GET', device] },
    {
      word: 'sendHere',
      on: `${here}/devices/device-hms`,
      least: 'sender',
      as: 'link',
      call: ['POST', `${here}/pushes`],
    },
    {
      word: 'retire',
      on: `${here}/devices/device-hms`,
      least: 'operator',
      as: 'dialog',
      call: ['POST', `${device}/retire`],
    },
    { word: 'remove', on: `${here}/devices/device-hms`, least: 'operator', as: 'dialog', call: ['DELETE', device] },
    { word: 'countIt', on: `${here}/audience`, least: 'viewer', as: 'button', call: ['GET', `${here}/audience`] },
    { word: 'search', on: '/audit', least: 'operator', as: 'button', call: ['GET', '/audit'] },
    { word: 'downloadList', on: '/audit', least: 'operator', as: 'link', call: ['GET', '/audit.csv'] },
    { word: 'newUser', on: '/users', least: 'operator', as: 'dialog', call: ['PUT', '/users/new'] },
    { word: 'newClient', on: '/users', least: 'operator', as: 'dialog', call: ['PUT', '/clients/new'] },
    { word: 'remove', on: '/users', least: 'operator', as: 'dialog', call: ['DELETE', '/clients/game'] },
    { word: 'issueToken', on: '/users/ann', least: 'operator', as: 'dialog', call: ['POST', '/users/ann/tokens/game'] },
    { word: 'revoke', on: '/users/ann', least: 'operator', as: 'dialog', call: ['DELETE', '/users/ann/tokens/game'] },
    { word: 'block', on: '/users/ann', least: 'operator', as: 'dialog', call: ['PUT', '/users/ann/blocks/game'] },
    { word: 'unblock', on: '/users/ann', least: 'operator', as: 'dialog', call: ['DELETE', '/users/ann/blocks/game'] },
    {
      word: 'securityChange',
      on: '/users/ann',
      least: 'operator',
      as: 'dialog',
      call: ['POST', '/users/ann/security-change'],
    },
    { word: 'deleteUser', on: '/users/ann', least: 'operator', as: 'dialog', call: ['DELETE', '/users/ann'] },
    { word: 'changePassword', on: '/settings', least: 'viewer', as: 'button', call: ['GET', '/session'] },
    { word: 'signOutEverywhere', on: '/settings', least: 'viewer', as: 'button', call: ['GET', '/session'] },
    { word: 'newPerson', on: '/settings', least: 'owner', as: 'dialog', call: ['POST', '/people'] },
    { word: 'change', on: '/settings', least: 'owner', as: 'dialog', call: ['PATCH', '/people/viewer'] },
    { word: 'remove', on: '/settings', least: 'owner', as: 'dialog', call: ['DELETE', '/people/viewer'] },
    { word: 'newToken', on: '/settings', least: 'owner', as: 'dialog', call: ['POST', '/api-tokens'] },
  ];
}

/** The addresses of the router, as it writes them; the door and the way in from nowhere aside. */
const ROUTES = [...readFileSync(join(ROOT, 'packages/console-web/src/app.tsx'), 'utf8').matchAll(/path="([^"]+)"/g)]
  .map(([, path = '']) => path)
  .filter((path) => path !== '/' && path !== '/sign-in');

it('walks every page that the router has, and each has an address of its own', async () => {
  const walked = Object.keys(places());
  const isWalked = (route: string): boolean =>
    walked.some((path) => new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`).test(path));
  expect(ROUTES.filter((route) => !isWalked(route))).toEqual([]);
  for (const path of walked) expect([path, (await fetch(scene.address(path))).status]).toEqual([path, 200]);
});

const controlOf = (page: Page, { word, as }: Deed, words: Words): Locator => {
  const said = (words[word] ?? '').replace(/[^\p{L} ]/gu, String.raw`\$&`);
  const name = new RegExp(`^${said}(: .*)?$`);
  return page.getByRole(as === 'link' ? 'link' : 'button', { name });
};

const faultsOf = async (page: Page) => ({
  serious: await seriousFaults(page),
  overflow: await overflowOf(page),
  // Nothing of ours is an image: one would be a text that became markup.
  images: await page.locator('img').count(),
});
const NO_FAULTS = { serious: [], overflow: 0, images: 0 };

/** Every page that the role may see, and on each exactly what it may do. */
async function walk(page: Page, role: Role, words: Words): Promise<void> {
  for (const [path, { text, least }] of Object.entries(places())) {
    const isFor = reaches(role, least);
    await visit(page, path, isFor ? text : new RegExp(words['forbidden'] ?? ''));
    const here = deeds().filter(({ on }) => on === path);
    for (const deed of here.filter((one) => reaches(role, one.least)))
      await controlOf(page, deed, words).first().waitFor();
    for (const deed of here.filter((one) => !reaches(role, one.least)))
      expect([path, deed.word, await controlOf(page, deed, words).count()]).toEqual([path, deed.word, 0]);
    if (isFor) expect([path, await page.getByRole('alert').allTextContents()]).toEqual([path, []]);
    expect([path, await faultsOf(page)]).toEqual([path, NO_FAULTS]);
  }
}

/** Everything that asks before it is done, asked and left again. */
async function openDialogs(page: Page, words: Words): Promise<void> {
  const asking = deeds().filter(({ as }) => as === 'dialog');
  for (const [path, { text }] of Object.entries(places())) {
    const here = asking.filter(({ on }) => on === path);
    if (here.length === 0) continue;
    await visit(page, path, text);
    for (const deed of here) {
      await controlOf(page, deed, words).first().click();
      await page.getByRole('dialog').waitFor();
      expect([path, deed.word, await faultsOf(page)]).toEqual([path, deed.word, NO_FAULTS]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  }
}

/** What the API answers to what the page could send with its cookie. */
const statusesOf = (page: Page, calls: readonly Deed['call'][]): Promise<readonly number[]> =>
  page.evaluate<readonly number[]>(`Promise.all(${JSON.stringify(calls)}.map(async ([method, path]) =>
    (await fetch('/api/v1' + path, { method, headers: { 'x-pushfleet-console': '1' } })).status))`);

describe.each(VIEWS)('at $width px in $lang', (view) => {
  const words = WORDS[view.lang];

  it('the door has no serious fault', () =>
    scene.withPage(view, async ({ page }) => {
      await scene.goToDoor(page, view.lang);
      expect(await page.evaluate('document.documentElement.lang')).toBe(view.lang);
      expect(await faultsOf(page)).toEqual(NO_FAULTS);
    }));

  it.each(ROLES)(
    'the role %s sees every page that is for it, and on each what it may do and nothing else',
    (role) =>
      scene.withPage(view, async ({ page }) => {
        await scene.signIn(page, role, view);
        await walk(page, role, words);
      }),
    TIMEOUT_MS,
  );

  it(
    'whatever opens a dialog opens one that works here, and is left again',
    () =>
      scene.withPage(view, async ({ page }) => {
        await scene.signIn(page, 'owner', view);
        await openDialogs(page, words);
      }),
    TIMEOUT_MS,
  );

  it('the menu leads to a page', () =>
    scene.withPage(view, async ({ page }) => {
      await scene.signIn(page, 'viewer', view);
      const menu = page.getByRole('button', { name: words['menu'] ?? '', exact: true });
      if (await menu.isVisible()) await menu.click();
      await page.getByRole('link', { name: words['channels'] ?? '', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: words['channels'] ?? '', exact: true }).waitFor();
    }));
});

it.each(ROLES)('what is not on the pages of the role %s is refused by the API as well', (role) =>
  scene.withPage({ width: 1280, lang: 'en' }, async ({ page }) => {
    await scene.signIn(page, role);
    const calls = deeds()
      .filter(({ least }) => !reaches(role, least))
      .map(({ call }) => call);
    expect(await statusesOf(page, calls)).toEqual(calls.map(() => 403));
    await goWithin(page, '/fleet');
  }),
);
