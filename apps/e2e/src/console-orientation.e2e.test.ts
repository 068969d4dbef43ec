import { unique } from '@pushfleet/testing';
import type { Locator, Page } from 'playwright-core';
import type { DemoApp, Fleet } from './fleet';
import { openPage, overflowOf, type View } from './testing/console-browser';
import { ConsoleScene, visit, WIDE } from './testing/console-scene';

let scene: ConsoleScene;
let fleet: Fleet;
let app: DemoApp;
let pushId: string;
let shop: DemoApp;

const PHONE: View = { width: 390, lang: 'en' };

beforeAll(async () => {
  scene = await ConsoleScene.open();
  ({ fleet, app, pushId } = scene.setting);
  shop = await fleet.createApp({ name: 'Shop 9' });
  await fleet.admin('PATCH', `/apps/${app.id}`, { name: 'Shop 10' });
});

afterAll(() => scene?.close());

const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('cell', { name, exact: true }) });

/** What a test that runs here does not know of the page there. */
interface Styles {
  getComputedStyle(of: unknown): { readonly unicodeBidi: string };
}

/** `plaintext` takes the direction of a text from its first letter. */
const bidiOf = (shown: Locator): Promise<string> =>
  shown.evaluate((element) => (globalThis as unknown as Styles).getComputedStyle(element).unicodeBidi);

describe('which app a page is of', () => {
  it.each(['/profiles', '/send', '/pushes', '/devices', '/devices/device-hms', '/audience'])(
    'is told on %s and by its tab',
    (path) =>
      scene.withTabOf('owner', WIDE, async ({ page }) => {
        await page.goto(scene.address(`/apps/${app.id}${path}`));
        await page.getByRole('main').getByRole('link', { name: 'Shop 10', exact: true }).waitFor();
        expect(await page.title()).toMatch(/^.+ · Shop 10 · pushfleet$/);
      }),
  );

  it('is told on the page of one push', () =>
    scene.withTabOf('viewer', PHONE, async ({ page }) => {
      await page.goto(scene.address(`/apps/${app.id}/pushes/${pushId}`));
      await page.getByRole('main').getByRole('link', { name: 'Shop 10', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Shop 10' }).waitFor();
      expect(await overflowOf(page)).toBe(0);
    }));

  it('is told with the message where a push is confirmed', () =>
    scene.withTabOf('sender', WIDE, async ({ page }) => {
      await page.goto(scene.address(`/apps/${app.id}/send`));
      await page.getByLabel('Title', { exact: true }).fill('Half price');
      await page.getByLabel('Text', { exact: true }).fill('Only today');
      await page.getByRole('button', { name: /^Send to devices/ }).click();
      const dialog = page.getByRole('dialog');
      for (const text of ['Shop 10', 'Half price', 'Only today']) await dialog.getByText(text).waitFor();
    }));
});

describe('what a decision is about', () => {
  it.each([
    ['/settings', 'guest', 'Delete'],
    ['/settings', 'guest', 'Change'],
    ['/channels', 'vivo', 'Pause'],
    ['/channels', 'vivo', 'Discard'],
  ])('is told by %s of the row %s: %s', (path, name, label) =>
    scene.withTabOf('owner', WIDE, async ({ page }) => {
      await visit(page, path, new RegExp(`^${name}$`));
      await rowOf(page, name)
        .getByRole('button', { name: `${label}: ${name}`, exact: true })
        .click();
      await page.getByRole('dialog', { name: `${label}: ${name}`, exact: true }).waitFor();
    }),
  );

  it('is told by a profile that is deleted, and by a key that is replaced', () =>
    scene.withTabOf('owner', WIDE, async ({ page }) => {
      await visit(page, `/apps/${app.id}/profiles`, /^_default$/);
      await page.getByRole('button', { name: 'Delete: hms/_default', exact: true }).click();
      await page.getByRole('dialog', { name: 'Delete: hms/_default', exact: true }).waitFor();
      await page.goto(scene.address(`/apps/${app.id}`));
      await page.getByRole('button', { name: 'Replace: Master key', exact: true }).click();
      await page.getByRole('dialog', { name: 'Replace: Master key', exact: true }).waitFor();
    }));
});

it('finds an app among many by a part of its name or id, with numbers in their order', () =>
  scene.withTabOf('owner', WIDE, async ({ page }) => {
    for (let i = 0; i < 10; i += 1) await fleet.admin('POST', '/apps', { name: `Other ${i}`, edition: 'developer' });
    const names = () => page.getByRole('table').getByRole('link').allInnerTexts();
    await page.goto(scene.address('/apps'));
    await page.getByRole('link', { name: 'Shop 10', exact: true }).waitFor();
    expect((await names()).filter((name) => name.startsWith('Shop'))).toEqual(['Shop 9', 'Shop 10']);
    await page.getByLabel('Name or id').fill('sHOP 1');
    expect(await names()).toEqual(['Shop 10']);
    await page.getByLabel('Name or id').fill(shop.id.slice(0, 12));
    expect(await names()).toEqual(['Shop 9']);
    await page.getByLabel('Name or id').fill(unique('nobody'));
    await page.getByText('There are no such apps.').waitFor();
  }));

it('the way back from a push leads to the page of the list that it was on', () =>
  scene.withTabOf('viewer', WIDE, async ({ page }) => {
    for (let i = 0; i < 45; i += 1)
      await fleet.push(shop, { data: { alert: `News ${i}` }, where: { installationId: 'nobody' } });
    await visit(page, `/apps/${shop.id}/pushes`, /^News 44$/);
    const turn = async (label: string, text: string): Promise<void> => {
      await page.getByRole('button', { name: label, exact: true }).click();
      await page.getByRole('link', { name: text, exact: true }).waitFor();
    };
    await turn('Older', 'News 24');
    await turn('Older', 'News 4');
    await page.getByRole('link', { name: 'News 2', exact: true }).click();
    await page.getByRole('heading', { level: 2, name: 'Progress' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'News 2', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'News 2', exact: true }).waitFor();
    await turn('Newer', 'News 24');
    await page.getByRole('link', { name: 'Pushes', exact: true }).click();
    await page.getByRole('link', { name: 'News 44', exact: true }).waitFor();
  }));

it('who followed a link that is gone begins at the heading of the page', () =>
  scene.withTabOf('viewer', WIDE, async ({ page }) => {
    const focused = () => page.evaluate<string>('document.activeElement.tagName');
    await page.goto(scene.address('/apps'));
    await page.getByRole('link', { name: 'Shop 10', exact: true }).waitFor();
    expect(await focused()).toBe('BODY');
    await page.getByRole('link', { name: 'Shop 10', exact: true }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Shop 10' }).waitFor();
    expect(await focused()).toBe('H1');
    await page.getByRole('link', { name: 'Devices', exact: true }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor();
    expect(await focused()).toBe('H1');
  }));

it('tells in plain words what became of one device', () =>
  scene.withTabOf('viewer', PHONE, async ({ page }) => {
    await page.goto(scene.address(`/apps/${app.id}/pushes/${pushId}`));
    await page.getByLabel('installationId or objectId').fill('device-mi');
    await page.getByRole('button', { name: 'Look up' }).click();
    const told = page.getByRole('region', { name: 'What became of one device' });
    await told.getByText(/The vendor said that it no longer knows the registration/).waitFor();
    await told
      .getByText(/No valid targets/)
      .first()
      .waitFor();
  }));

it('shows a text that is written from right to left as its readers write it', async () => {
  const { page, context } = await openPage(scene.setting.browser, PHONE);
  await scene.signIn(page, 'sender');
  await page.goto(scene.address(`/apps/${app.id}/send`));
  const text = page.getByLabel('Text', { exact: true });
  await text.fill('مرحبا!');
  expect(await bidiOf(text)).toBe('plaintext');
  const preview = page.getByRole('region', { name: 'As devices show it: hms' }).getByText('مرحبا!');
  await preview.waitFor();
  expect(await bidiOf(preview)).toBe('plaintext');
  await context.close();
});
