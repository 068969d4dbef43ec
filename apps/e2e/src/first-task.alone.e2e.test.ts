import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { openChromium, openPage } from './testing/console-browser';
import { npmStart, requireInstalled } from './testing/npm-start';

const run = promisify(execFile);

/** What the first task may take of somebody who has read nothing, from the first page on. */
const MOST_MS = 180_000;
let folder: string;
let fleet: ReturnType<typeof npmStart>;
let shown: string;
let browser: Browser;

beforeAll(async () => {
  requireInstalled();
  folder = mkdtempSync(join(tmpdir(), 'pushfleet-first-'));
  fleet = npmStart([], { PUSHFLEET_STATE_DIR: folder });
  browser = await openChromium();
  shown = (await fleet.started()).out;
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await fleet?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** By what the terminal and the pages show, and by nothing else. */
async function firstTask(page: Page): Promise<void> {
  await page.goto(/http:\S+\/sign-in#link=\S+/.exec(shown)?.[0] ?? 'no link');
  await page.getByRole('link', { name: 'Apps' }).click();
  await page.getByRole('button', { name: 'New app' }).click();
  await page.getByLabel('Name of the app').fill('My game');
  await page.getByRole('button', { name: 'Create' }).click();

  await page.getByRole('link', { name: 'Vendor profiles' }).click();
  await page.getByRole('button', { name: 'New profile: hms' }).click();
  await page.getByLabel('appId').fill('100000001');
  await page.getByLabel('appSecret').fill(/^ {2}secret of vendors +(\S+)$/m.exec(shown)?.[1] ?? 'no secret');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByText('The vendor accepts these credentials.').waitFor();

  await page.getByRole('link', { name: 'Settings' }).last().click();
  await page.getByRole('region', { name: 'Register a device' }).getByRole('button', { name: 'Copy' }).click();
  const command = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(JSON.parse((await run('sh', ['-c', command])).stdout)).toMatchObject({ objectId: expect.any(String) });

  await page.getByRole('link', { name: 'Send', exact: true }).click();
  await page.getByLabel('Text', { exact: true }).fill('Hello');
  await page.getByRole('button', { name: 'Send to devices: 1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send to devices: 1' }).click();
  await page.getByText(/Status: done/).waitFor();
  const books = page.getByRole('table', { name: 'Channels' }).getByRole('row').nth(1).getByRole('cell');
  // Channel, matched, accepted.
  expect((await books.allInnerTexts()).slice(0, 3)).toEqual(['hms Huawei', '1', '1']);
}

test('whoever has read nothing sends a first push within three minutes of the first page', async () => {
  const { context, page, wrongs } = await openPage(browser, { width: 1280, lang: 'en' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const before = performance.now();
  await firstTask(page);
  expect(performance.now() - before).toBeLessThan(MOST_MS);
  expect(wrongs).toEqual([]);
}, 240_000);
