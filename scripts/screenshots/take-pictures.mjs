import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromiumPath } from '../test/chromium.cjs';
import { inRoot } from '../launch/paths.mjs';

const FOLDER = inRoot('docs/images');
const SIZE = { width: 1280, height: 800 };
/** The demo is busy yet with what it was filled with. */
const WAIT_MS = 120_000;

/** The browser of the tests. */
const { chromium } = createRequire(inRoot('apps/e2e/package.json'))('playwright-core');

/** Each with what has to be seen or done before it is taken. */
const pages = ({ app, pushId }) => [
  { name: 'fleet', path: '/fleet', ready: (page) => page.getByRole('cell', { name: 'dispatcher' }).first().waitFor() },
  { name: 'channels', path: '/channels', ready: (page) => page.getByRole('cell', { name: 'vivo' }).first().waitFor() },
  { name: 'send', path: `/apps/${app.id}/send`, ready: write },
  {
    name: 'push',
    path: `/apps/${app.id}/pushes/${pushId}`,
    ready: (page) => page.getByText('registration-gone').first().waitFor(),
  },
  { name: 'audience', path: `/apps/${app.id}/audience`, ready: count },
];

async function write(page) {
  await page.getByLabel('Title').fill('Spring sale');
  await page.getByLabel('Text', { exact: true }).fill('Everything for the garden, this week only.');
  await page.locator('[data-count]').waitFor();
  await page.getByRole('region', { name: 'As devices show it', exact: true }).scrollIntoViewIfNeeded();
}

async function count(page) {
  await page.getByRole('button', { name: 'Count' }).click();
  await page.getByRole('region', { name: 'appVersion' }).waitFor();
  // Slice by slice, until all devices are counted.
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
}

export async function takePictures({ urls, consoleLink, app, pushId }) {
  mkdirSync(FOLDER, { recursive: true });
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  try {
    const page = await browser.newPage({ viewport: SIZE, locale: 'en', reducedMotion: 'reduce' });
    page.setDefaultTimeout(WAIT_MS);
    await page.goto(consoleLink);
    await page.getByRole('navigation').first().waitFor();
    for (const { name, path, ready } of pages({ app, pushId })) {
      await page.goto(new URL(path, urls.console).href);
      await ready(page);
      await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
      await page.screenshot({ path: join(FOLDER, `console-${name}.png`) });
    }
  } finally {
    await browser.close();
  }
}
