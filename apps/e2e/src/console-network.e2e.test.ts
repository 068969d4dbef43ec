import { until } from '@pushfleet/testing';
import { chromium, type BrowserContext, type Page, type Route } from 'playwright-core';
import { EXECUTABLE, goWithin, type Watched } from './testing/console-browser';
import { ConsoleScene, PASSWORD, visit, WIDE } from './testing/console-scene';
import type { DemoApp } from './fleet';

let scene: ConsoleScene;
let app: DemoApp;

beforeAll(async () => {
  scene = await ConsoleScene.open();
  ({ app } = scene.setting);
});

afterAll(() => scene?.close());

/** For what goes wrong on purpose: Chromium writes every failure down. */
const onBadNetwork = (name: string, work: (watched: Watched) => Promise<void>): void =>
  it(name, () =>
    scene.withPage(WIDE, async (watched) => {
      await work(watched);
      const wrongs = watched.wrongs.splice(0);
      expect(wrongs.filter((wrong) => !wrong.startsWith('Failed to load resource'))).toEqual([]);
    }),
  );

const MAY_BE = 'It may have been done all the same';
const A_PROXY = { contentType: 'text/html', body: '<html><body><h1>Bad Gateway</h1></body></html>' };

/** The first request of a method to a path that is answered otherwise. */
async function once(page: Page, [method, path]: readonly [string, RegExp], answer: (route: Route) => Promise<void>) {
  let isDue = true;
  await page.route(path, (route) => {
    if (!isDue || route.request().method() !== method) return route.fallback();
    isDue = false;
    return answer(route);
  });
}

interface Barrier {
  readonly isLetGo: Promise<void>;
  readonly letGo: () => void;
}

function barrier(): Barrier {
  let letGo = (): void => undefined;
  const isLetGo = new Promise<void>((resolve) => (letGo = resolve));
  return { isLetGo, letGo: () => letGo() };
}

const LOST = {
  'cut off': async (route: Route) => {
    await route.fetch();
    await route.abort();
  },
  'half of it': async (route: Route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).slice(0, 9) });
  },
  'nothing of it': async (route: Route) => route.fulfill({ response: await route.fetch(), body: '' }),
  'a 408 of a proxy': async (route: Route) => {
    await route.fetch();
    await route.fulfill({ status: 408, ...A_PROXY });
  },
  'a 502 of a proxy': async (route: Route) => {
    await route.fetch();
    await route.fulfill({ status: 502, ...A_PROXY });
  },
} as const;

async function newToken(page: Page, name: string) {
  await visit(page, '/settings', /person owner/);
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What it is for').fill(name);
  await dialog.getByRole('button', { name: 'Create' }).click();
  return dialog;
}

describe.each(Object.entries(LOST))('of an answer that tells that it was done comes %s:', (name, answer) => {
  onBadNetwork('the page says that it may have been done, and shows what was', async ({ page }) => {
    await scene.signIn(page, 'owner');
    await once(page, ['POST', /\/api-tokens$/], answer);
    const dialog = await newToken(page, `token of ${name}`);
    await dialog.getByRole('alert').getByText(MAY_BE).waitFor();
    expect(await dialog.getByLabel('What it is for').inputValue()).toBe(`token of ${name}`);
    await page.getByText(`token of ${name}`, { exact: true }).waitFor();
  });

  onBadNetwork('who sends a push is told that it may have been taken, and sends it once', async ({ page }) => {
    await scene.signIn(page, 'sender');
    await visit(page, `/apps/${app.id}/send`, /^Silent$/);
    await page.getByLabel('Text', { exact: true }).fill(`push of ${name}`);
    const button = page.getByRole('button', { name: /^Send to devices: (about )?\d/ });
    await once(page, ['POST', /\/pushes\?confirmed=/], answer);
    await button.click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Send to devices/ })
      .click();
    await page.getByText('It is not known whether the push was taken.').waitFor();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Send to devices/ })
      .click();
    await page.waitForURL(/\/pushes\/[0-9a-z]{16}$/);
    const { results } = await scene.setting.fleet.admin<{ results: { msg: { alert?: string } }[] }>(
      ...(['GET', `/apps/${app.id}/pushes?limit=100`] as const),
    );
    expect(results.filter(({ msg }) => msg.alert === `push of ${name}`)).toHaveLength(1);
  });
});

onBadNetwork('what was refused is said to be refused, and nothing else', async ({ page }) => {
  await scene.signIn(page, 'owner');
  const dialog = await newToken(page, '');
  await dialog.getByRole('alert').waitFor();
  expect(await dialog.getByText(MAY_BE).count()).toBe(0);
});

onBadNetwork('a token that was made is shown, whatever becomes of the list behind it', async ({ page }) => {
  await scene.signIn(page, 'owner');
  await visit(page, '/settings', /person owner/);
  await page.getByRole('button', { name: 'New token' }).waitFor();
  await page.route(/\/api-tokens$/, (route) => (route.request().method() === 'GET' ? undefined : route.fallback()));
  const dialog = await newToken(page, 'shown at once');
  await dialog.getByText('Copy it now').waitFor({ timeout: 20_000 });
});

onBadNetwork('a list that is of the search before says so until the other comes', async ({ page }) => {
  await scene.signIn(page, 'viewer');
  await visit(page, `/apps/${app.id}/pushes`, /<script>/);
  const { letGo, isLetGo } = barrier();
  await once(page, ['GET', /\/pushes\?.*search=/], async (route) => {
    await isLetGo;
    await route.continue();
  });
  await page.getByLabel('Text or push id').fill('no such text');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('status', { name: 'Loading' }).waitFor();
  letGo();
  await page.getByText('There are no such pushes.').waitFor();
  expect(await page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
});

onBadNetwork('a list of users that could not be read can be asked for again', async ({ page }) => {
  await scene.signIn(page, 'owner');
  await page.route(/\/users$/, (route) =>
    route.request().isNavigationRequest() ? route.fallback() : route.fulfill({ status: 500, ...A_PROXY }),
  );
  await goWithin(page, '/users');
  const again = page.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await page.unroute(/\/users$/);
  await again.click();
  await page.getByText('Ann', { exact: true }).waitFor();
});

onBadNetwork('a count of devices goes on behind a slice that failed once', async ({ page }) => {
  await scene.signIn(page, 'viewer');
  await visit(page, `/apps/${app.id}/audience`, /^Reached:/);
  await once(page, ['GET', /\/audience\?/], (route) => route.fulfill({ status: 503, ...A_PROXY }));
  await page.getByRole('button', { name: 'Count' }).click();
  await page.getByRole('region', { name: 'appVersion' }).waitFor();
  expect(await page.getByRole('main').getByRole('alert').count()).toBe(0);
});

onBadNetwork('a dialog stays while what it sent is on its way', async ({ page }) => {
  await scene.signIn(page, 'owner');
  const { letGo, isLetGo } = barrier();
  await once(page, ['POST', /\/api-tokens$/], async (route) => {
    await isLetGo;
    await route.continue();
  });
  const dialog = await newToken(page, 'waited for');
  await dialog.locator('button[data-loading]').waitFor();
  await page.keyboard.press('Escape');
  expect(await dialog.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true);
  letGo();
  await dialog.getByText('Copy it now').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

onBadNetwork('what is never answered has an end, in words, and can be done again', async ({ page }) => {
  await page.clock.install();
  await scene.signIn(page, 'owner');
  await visit(page, `/apps/${app.id}/profiles`, /hms/);
  let asked = 0;
  await page.route(/\/people$|\/api-tokens$/, () => void (asked += 1));
  await goWithin(page, '/settings');
  const failures = page.getByRole('main').getByRole('alert');
  await until(async () => {
    await page.clock.runFor(10_000);
    return (await failures.count()) === 2;
  });
  expect(asked).toBe(6);
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What it is for').fill('for nothing');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await until(async () => {
    await page.clock.runFor(10_000);
    return dialog.getByText(MAY_BE).isVisible();
  });
  await page.unroute(/\/people$|\/api-tokens$/);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('Copy it now').waitFor();
});

onBadNetwork('a look at the fleet has the time that vendors without an answer take', async ({ page }) => {
  await page.clock.install();
  await scene.signIn(page, 'owner');
  const { letGo, isLetGo } = barrier();
  let asked = 0;
  await page.route(/\/doctor$/, async (route) => {
    asked += 1;
    await isLetGo;
    await route.continue();
  });
  await goWithin(page, '/fleet');
  await until(() => asked === 1);
  for (let i = 0; i < 4; i += 1) await page.clock.runFor(10_000);
  expect(asked).toBe(1);
  letGo();
  await page.getByText(/^(Everything is in order|Problems: )/).waitFor();
});

onBadNetwork('a proxy that fails once is not seen', async ({ page }) => {
  await scene.signIn(page, 'owner');
  await once(page, ['GET', /\/people$/], (route) => route.fulfill({ status: 502, ...A_PROXY }));
  await visit(page, '/settings', /guest/);
  expect(await page.getByRole('main').getByRole('alert').count()).toBe(0);
});

onBadNetwork(
  'what a push is repeated from is asked for again, and takes nothing back that was typed',
  async ({ page }) => {
    await scene.signIn(page, 'sender');
    const { pushId } = scene.setting;
    await page.route(/\/pushes\/\w+$/, (route) => route.fulfill({ status: 500, ...A_PROXY }));
    await goWithin(page, `/apps/${app.id}/send?repeat=${pushId}`);
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.getByLabel('Text', { exact: true }).fill('typed meanwhile');
    await page.unroute(/\/pushes\/\w+$/);
    await again.click();
    await page.getByRole('button', { name: 'Replace the draft' }).waitFor();
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('typed meanwhile');
  },
);

onBadNetwork('a tab knows at once that somebody else has signed in beside it', async ({ page, context }) => {
  await scene.signIn(page, 'owner');
  await visit(page, '/settings', /person owner/);
  const beside = await context.newPage();
  await beside.goto(scene.address('/apps'));
  await beside.evaluate(`fetch('/api/v1/session', { method: 'DELETE', headers: { 'x-pushfleet-console': '1' } })`);
  await beside.reload();
  await beside.getByLabel('Name', { exact: true }).fill('viewer');
  await beside.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.bringToFront();
  await beside.getByRole('button', { name: 'Sign in' }).click();
  await beside.getByRole('navigation').first().waitFor({ state: 'attached' });
  await page.getByText(/person viewer/).waitFor();
  expect(await page.getByRole('button', { name: 'New token' }).count()).toBe(0);
});

it('the way back leads to nothing of who has signed out', async () => {
  const browser = await chromium.launch({
    executablePath: EXECUTABLE,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
  try {
    const context: BrowserContext = await browser.newContext({ locale: 'en' });
    const page = await context.newPage();
    await scene.signIn(page, 'owner');
    await visit(page, `/apps/${app.id}`, /Master Key/i);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Name', { exact: true }).waitFor();
    await page.goBack();
    await page.getByLabel('Name', { exact: true }).waitFor();
    expect(await page.getByText(/Master Key/i).count()).toBe(0);
  } finally {
    await browser.close();
  }
});

onBadNetwork(
  'a page in Chinese says what the server says in Chinese, though its words come the second time',
  async ({ page }) => {
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
    const words = /\/assets\/chinese-/;
    const { pushId } = scene.setting;
    await scene.signIn(page, 'viewer');
    await visit(page, `/apps/${app.id}/pushes/${pushId}`, /no longer knows the registration/);
    expect(asked.filter((path) => words.test(path))).toEqual([]);
    await once(page, ['GET', words], (route) => route.abort());
    await page.getByRole('button', { name: '中文' }).click();
    await page.getByText('厂商表示该注册已不存在').waitFor();
    await goWithin(page, '/apps/none');
    await page.getByRole('alert').getByText('没有应用 "none"').waitFor();
    await goWithin(page, '/channels');
    for (const channel of ['hms 华为', 'oppo', 'own 自有通道'])
      await page.getByRole('cell', { name: channel, exact: true }).waitFor();
  },
);
