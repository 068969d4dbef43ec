import { readFileSync } from 'node:fs';
import { channelNames } from '@pushfleet/channels';
import { LIMITS } from '@pushfleet/domain';
import { unique, until } from '@pushfleet/testing';
import type { BrowserContext, Page, Request } from 'playwright-core';
import type { Fleet, DemoApp } from './fleet';
import { brokenWordsOf, goWithin, overflowOf, seriousFaults, type View, type Watched } from './testing/console-browser';
import { ConsoleScene, EVIL, PASSWORD, visit, WIDE } from './testing/console-scene';

let scene: ConsoleScene;
let fleet: Fleet;
let app: DemoApp;
let foreign: DemoApp;
let pushId: string;

beforeAll(async () => {
  scene = await ConsoleScene.open();
  ({ fleet, app, foreign, pushId } = scene.setting);
});

afterAll(() => scene?.close());

const address = (path: string): string => scene.address(path);
const signIn: ConsoleScene['signIn'] = (...given) => scene.signIn(...given);

const VIEWS: readonly View[] = [WIDE, { width: 390, lang: 'zh-CN' }];

const inBrowser = (name: string, work: (watched: Watched) => Promise<void>): void =>
  it(name, () => scene.withPage(WIDE, work));

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
    // What is known of a profile is there for who comes back.
    await page.getByText('Last receipt seen: none yet').waitFor();
    await page.reload();
    await page.getByText(/^Last test: .*\d/).waitFor();
    await page.getByText('The vendor accepts these credentials.').waitFor();
    expect(await seriousFaults(page)).toEqual([]);

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

inBrowser('an address that was mistyped is told as one, with a way back', async ({ page, wrongs }) => {
  await signIn(page, 'owner');
  for (const path of ['/nope', '/fleet/nope', '/%zz', '//']) {
    expect((await page.goto(address('') + path))?.status()).toBe(404);
    await page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor();
    // Chromium tells of the status of the page itself.
    expect(wrongs.splice(0)).toEqual([expect.stringContaining('status of 404')]);
  }
  await page.getByRole('link', { name: 'To the first page' }).click();
  await page.getByRole('heading', { level: 1, name: 'Fleet' }).waitFor();
});

inBrowser('an operator pauses a channel and resumes it', async ({ page }) => {
  await signIn(page, 'operator');
  await visit(page, '/channels', /^vivo$/);
  const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name: 'vivo', exact: true }) });
  await row.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
  await row.getByText('paused', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
  await row.getByText('running', { exact: true }).waitFor();
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

inBrowser('a page that was refused what changed asks again by the clock', async ({ page, wrongs }) => {
  await signIn(page, 'owner');
  let asked = 0;
  let isAway = false;
  await page.route('**/api/v1/channels', (route) => {
    asked += 1;
    return isAway ? route.fulfill({ status: 503 }) : route.continue();
  });
  await visit(page, '/channels', /^mz$/);
  const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name: 'mz Meizu', exact: true }) });
  // The first word of the stream is a reason to ask, too; until the next there is none.
  await until(() => asked === 2);
  await row.getByText('running', { exact: true }).waitFor();
  isAway = true;
  await fleet.admin('POST', '/channels/mz/pause');
  await page.getByRole('alert').waitFor();
  isAway = false;
  await row.getByText('paused', { exact: true }).waitFor();
  for (const wrong of wrongs.splice(0)) expect(wrong).toContain('status of 503');
  await fleet.admin('POST', '/channels/mz/resume');
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

  // What waited then says nothing of what waits now.
  await row.getByRole('button', { name: 'Discard' }).click();
  await dialog.getByRole('button', { name: 'Count' }).waitFor();
  expect(await last.isDisabled()).toBe(true);
  expect(await dialog.getByText('0 devices, 0 pushes').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Count' }).click();
  await dialog.getByText('0 devices, 0 pushes').waitFor();
  expect(await dialog.getByLabel('Type the number of devices to go on').inputValue()).toBe('');
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

inBrowser(
  'a viewer searches pushes, keeps the search in the address, and downloads what was found',
  async ({ page }) => {
    const { objectId } = await fleet.push(app, { data: { alert: 'A Needle among others' }, where: { vendor: 'HMS' } });
    await fleet.done(app, objectId);
    await signIn(page, 'viewer');
    await visit(page, `/apps/${app.id}/pushes`, /<script>/);
    await page.getByLabel('Text or push id').fill('needle');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('table').getByText('<script>').first().waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'A Needle among others' }).waitFor();
    const link = page.getByRole('link', { name: 'Download this list' });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n');
    expect(lines.map((line) => line.split(',')[0])).toEqual(['objectId', objectId]);

    await page.reload();
    await page.getByRole('link', { name: 'A Needle among others' }).waitFor();
    expect(await page.getByLabel('Text or push id').inputValue()).toBe('needle');
    await page.getByRole('combobox', { name: 'Channel' }).click();
    await page.getByRole('option', { name: 'mi Xiaomi', exact: true }).click();
    await page.getByText('There are no such pushes.').waitFor();
  },
);

/** How many devices the page says that the push reaches, once it says so; a slow machine gives it an estimate first. */
async function countedOn(page: Page): Promise<number> {
  const told = page.locator('[aria-busy="false"] > [data-count]');
  await told.waitFor();
  const exactly = page.getByRole('button', { name: 'Count exactly' });
  if (await exactly.isVisible()) {
    await exactly.click();
    await exactly.waitFor({ state: 'detached' });
    await told.waitFor();
  }
  return Number(await told.getAttribute('data-count'));
}

async function confirmSending(page: Page, devices: number): Promise<void> {
  const name = `Send to devices: ${devices}`;
  await page.getByRole('button', { name }).click();
  await page.getByRole('dialog').getByRole('button', { name }).click();
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
  await page.getByText('It is not known whether the push was taken.').waitFor();
  expect(wrongs.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')]);
  await page.getByRole('dialog').getByRole('button', { name: 'Send to devices' }).click();
  await page.waitForURL(/\/pushes\/[0-9a-z]{16}$/);
  const sent = page.url().split('/').at(-1) ?? '';
  expect(await pushesSaying(alert)).toEqual([sent]);
  expect((await fleet.done(app, sent)).devices).toBe(devices);
  await page.getByText(/Status: done/).waitFor();

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

inBrowser('who leaves while a push is being sent finds that it may have been taken', async ({ page }) => {
  const alert = 'left while it is being sent';
  await signIn(page, 'sender');
  const send = `/apps/${app.id}/send`;
  await visit(page, send, /^Silent$/);
  await page.getByLabel('Text', { exact: true }).fill(alert);
  const devices = await countedOn(page);
  let isTaken = false;
  await page.route('**/pushes?confirmed=*', async (route) => {
    await route.fetch();
    isTaken = true;
  });
  await confirmSending(page, devices);
  await until(() => isTaken);
  expect(await page.getByText('It is not known whether').count()).toBe(0);
  await page.reload();
  await page.getByText('It is not known whether the push was taken. Send it again as it is').waitFor();
  await page.unroute('**/pushes?confirmed=*');
  await confirmSending(page, await countedOn(page));
  await page.waitForURL(/\/pushes\/[0-9a-z]{16}$/);
  expect(await pushesSaying(alert)).toEqual([page.url().split('/').at(-1)]);
  await goWithin(page, send);
  await page.getByText('Write a text').waitFor();
  expect(await page.getByText('It is not known whether').count()).toBe(0);
});

inBrowser(
  'a test is sent once, also with a double click and when the answer to it was lost',
  async ({ page, wrongs }) => {
    await signIn(page, 'sender');
    await visit(page, `/apps/${app.id}/send`, /^Silent$/);
    const part = page.getByRole('region', { name: 'Test on my device', exact: true });
    const button = part.getByRole('button', { name: 'Send to this device', exact: true });
    const [lost, twice] = ['a test whose answer is lost', 'a test with a double click'];
    await part.getByLabel('installationId', { exact: true }).fill('device-vivo');
    await page.getByLabel('Text', { exact: true }).fill(lost);
    await page.route('**/pushes?confirmed=*', async (route) => {
      await route.fetch();
      await route.abort();
      await page.unroute('**/pushes?confirmed=*');
    });
    await button.click();
    await part.getByRole('alert').waitFor();
    expect(wrongs.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')]);
    await button.click();
    const sent = await part.getByRole('status').getByRole('link').innerText();
    expect(await pushesSaying(lost)).toEqual([sent]);

    await page.getByLabel('Text', { exact: true }).fill(twice);
    await button.dblclick();
    await until(async () => (await part.getByRole('status').getByRole('link').innerText()) !== sent);
    expect(await pushesSaying(twice)).toHaveLength(1);

    // Whoever presses it again later wants to see it again.
    await until(async () => {
      await button.click();
      return (await pushesSaying(twice)).length === 2;
    });
  },
);

inBrowser('a sender names devices, tests on one, plans a push for later and cancels it', async ({ page }) => {
  await signIn(page, 'sender');
  await visit(page, `/apps/${app.id}/devices/device-hms`, /hms/);
  await page.getByRole('link', { name: 'Send a push to it' }).click();
  await page.getByLabel('Text', { exact: true }).fill('to one');
  expect(await countedOn(page)).toBe(1);
  await page.getByLabel('installationId', { exact: true }).last().fill('device-vivo');
  await page.getByRole('button', { name: 'Send to this device' }).click();
  await page.getByText('Sent:').waitFor();
  const [tested = ''] = await pushesSaying('to one');
  expect((await fleet.done(app, tested)).channels).toMatchObject({ vivo: { accepted: 1 } });

  // Until it is known whom it reaches, there is nothing to confirm.
  let answer: () => void = () => undefined;
  const told = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/preflight', async (route) => {
    await told;
    await route.continue();
  });
  await page.getByRole('switch', { name: 'Later' }).click();
  await page.getByLabel('Send at').waitFor();
  await page.reload();
  await page.getByRole('status', { name: 'Counting' }).waitFor();
  expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
  answer();
  await confirmSending(page, 1);
  await page.getByText(/Status: scheduled/).waitFor();
  await page.getByRole('button', { name: 'Cancel this push' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel this push' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByText(/Status: cancelled/).waitFor();
  expect(await page.getByRole('button', { name: 'Cancel this push' }).count()).toBe(0);
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
    await page.getByText('The devices of that push for this reason are filled in: 1.').waitFor();
    expect(await page.getByLabel('Ids', { exact: true }).inputValue()).toMatch(/^[0-9A-Za-z]{16,}$/);

    await visit(page, `/apps/${app.id}/devices/${installationId}`, /mi\/_default/);
    const decide = async (action: string): Promise<void> => {
      await page.getByRole('button', { name: action }).click();
      await page.getByRole('dialog').getByRole('button', { name: action }).click();
    };
    await decide('Retire');
    await page.getByText('Retired: it is no target until it saves again.', { exact: true }).waitFor();
    await decide('Delete');
    // Who removed it is led away once that is done.
    await page.waitForURL(`**/apps/${app.id}/devices`);
    const where = JSON.stringify({ installationId });
    expect(await fleet.callAsServer(app, ['GET', `/installations?where=${where}`])).toEqual({ results: [] });
  },
);

/** Devices that one vendor refuses once, in an app of their own. */
async function refusedPush(devices: number): Promise<{ readonly id: string; readonly pushId: string }> {
  const crowd = await fleet.createApp({ name: 'Refused' });
  const at = new Date().toISOString();
  const rows = Array.from({ length: devices }, (_, i) => ({
    ...{ objectId: unique('o'), createdAt: at, updatedAt: at, deviceType: 'android', valid: true },
    ...{ installationId: `crowd-${i}`, vendor: 'HMS', registrationId: `alive-crowd-${i}` },
  }));
  await fleet.admin('POST', `/apps/${crowd.id}/installations/import`, { rows });
  const answer = { status: 200, body: JSON.stringify({ code: '80100001', msg: 'no', requestId: '1' }) };
  await fleet.simulator('PUT', '/faults', { channel: 'hms', kind: 'answer', path: 'messages:send', answer });
  const { objectId } = await fleet.push(crowd, { data: { alert: 'in vain' } });
  await fleet.done(crowd, objectId);
  await fleet.simulator('DELETE', '/faults?channel=hms');
  return { id: crowd.id, pushId: objectId };
}

inBrowser('a push again to more devices than a push names goes on with the next of them', async ({ page }) => {
  const most = LIMITS.deviceIds.value;
  const rest = 20;
  const { id, pushId: inVain } = await refusedPush(most + rest);
  await signIn(page, 'sender');
  await visit(page, `/apps/${id}/pushes/${inVain}`, /message-rejected/);
  await page.getByRole('link', { name: 'Push again: hms, message-rejected' }).click();
  await page.getByText(`are filled in: ${most}.`).waitFor();
  await page.getByText('There are more of them').waitFor();
  await page.getByLabel('Text', { exact: true }).fill('once more');
  expect(await countedOn(page)).toBe(most);
  await confirmSending(page, most);
  await page.getByText(`are filled in: ${rest}.`).waitFor();
  expect(await page.getByText('There are more of them').count()).toBe(0);
  // The next get what was written, not what the push in vain said.
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('once more');
  const first = (await page.getByRole('status').getByRole('link').getAttribute('href'))?.split('/').at(-1) ?? '';
  await confirmSending(page, rest);
  await page.waitForURL(/\/pushes\/[0-9a-z]{16}$/);
  const second = page.url().split('/').at(-1) ?? '';
  const accepted = async (objectId: string): Promise<unknown> => {
    await page.goto(address(`/apps/${id}/pushes/${objectId}`));
    await page.getByText(/Status: done/).waitFor();
    return (await fleet.admin<{ successes: number }>('GET', `/apps/${id}/pushes/${objectId}`)).successes;
  };
  expect([await accepted(first), await accepted(second)]).toEqual([most, rest]);
});

inBrowser('a draft is replaced by a push to repeat only when its writer says so', async ({ page }) => {
  const text = page.getByLabel('Text', { exact: true });
  const title = page.getByLabel('Title');
  const repeat = async (): Promise<void> => {
    await visit(page, `/apps/${app.id}/pushes/${pushId}`, /registration-gone/);
    await page.getByRole('link', { name: 'Repeat' }).click();
  };
  await signIn(page, 'sender');
  await repeat();
  await page.waitForURL(new RegExp(`/apps/${app.id}/send$`));
  expect([await title.inputValue(), await text.inputValue()]).toEqual([EVIL, EVIL]);
  await text.fill('my own words');
  await repeat();
  await page.getByText('A draft is here that was not sent.').waitFor();
  await page.getByRole('button', { name: 'Keep the draft' }).click();
  await page.waitForURL(new RegExp(`/apps/${app.id}/send$`));
  expect(await text.inputValue()).toBe('my own words');
  await repeat();
  await page.getByRole('button', { name: 'Replace the draft' }).click();
  await page.waitForURL(new RegExp(`/apps/${app.id}/send$`));
  expect(await text.inputValue()).toBe(EVIL);
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

inBrowser(
  'settings are saved without what others changed meanwhile, and no limit by an empty field',
  async ({ page }) => {
    const { id } = await fleet.createApp({ name: 'Shared' });
    const stored = () => fleet.admin<Record<string, unknown>>('GET', `/apps/${id}`);
    const { limits } = await stored();
    await signIn(page, 'owner');
    await visit(page, `/apps/${id}`, /^Shared$/);
    const name = page.getByLabel('Name of the app');
    await name.fill('Renamed');
    await fleet.admin('PATCH', `/apps/${id}`, { clientPush: true });
    await setSeen(page, 'visible');
    await page.getByRole('switch', { name: 'Pushes with the app key', checked: true }).waitFor();
    const limit = page.getByLabel('Devices in a day');
    await limit.fill('');
    await page.getByText('A number has to stand here.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await stored()).toMatchObject({ name: 'Shared', clientPush: true, limits });
    await limit.fill('7');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await stored()).toMatchObject({
      ...{ name: 'Renamed', clientPush: true, limits: { ...(limits as object), deliveriesPerDay: 7 } },
    });
    expect([await name.inputValue(), await limit.inputValue()]).toEqual(['Renamed', '7']);
  },
);

/** In the dialog that stands before a page whose session is over. */
async function signInAgain(page: Page, name: string): Promise<void> {
  const door = page.getByRole('dialog', { name: 'Sign in', exact: true });
  await door.getByLabel('Name', { exact: true }).fill(name);
  await door.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await door.getByRole('button', { name: 'Sign in' }).click();
  await door.waitFor({ state: 'hidden' });
}

inBrowser('the fleet shows how full Redis is, also when all is well', async ({ page }) => {
  await signIn(page, 'owner');
  await visit(page, '/fleet', /channel-worker/);
  await page.getByRole('region', { name: 'Redis' }).getByText('redis-memory').waitFor({ timeout: 15_000 });
});

inBrowser('an app shows what it used today of what it may', async ({ page }) => {
  const used = await fleet.createApp({ name: 'Used', limits: { deliveriesPerDay: 7 } });
  await fleet.call(used, ['POST', '/installations'], { deviceType: 'android', installationId: unique('i') });
  await fleet.done(used, (await fleet.push(used, { data: { alert: 'Hi' } })).objectId);
  await signIn(page, 'owner');
  await visit(page, `/apps/${used.id}`, /^Reached today: 1 \/ 7$/);
  await page.getByText(/^Devices: 1$/).waitFor();
});

inBrowser('a session that ends takes nothing of what was typed', async ({ page, context }) => {
  await signIn(page, 'owner');
  await visit(page, `/apps/${app.id}`, /Settings/);
  await page.getByLabel('Name of the app').fill('typed before the end');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Save' }).click();
  await signInAgain(page, 'owner');
  expect(await page.getByLabel('Name of the app').inputValue()).toBe('typed before the end');

  await visit(page, `/apps/${app.id}/profiles`, /_default/);
  await page.getByRole('button', { name: 'New profile: hms' }).click();
  const dialog = page.getByRole('dialog', { name: 'New profile: hms' });
  await dialog.getByLabel('appId').fill('typed in a dialog');
  await context.clearCookies();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await signInAgain(page, 'owner');
  expect(await dialog.getByLabel('appId').inputValue()).toBe('typed in a dialog');
});

inBrowser('who signs in where the session of somebody else ended sees nothing of theirs', async ({ page, context }) => {
  await signIn(page, 'owner');
  await visit(page, `/apps/${app.id}`, /Master Key/i);
  await page.getByLabel('Name of the app').fill('typed by the owner');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Save' }).click();
  await signInAgain(page, 'sender');
  await page.getByRole('main').getByText(app.id).waitFor();
  expect(await page.getByLabel('Name of the app').inputValue()).toBe(EVIL);
  expect(await page.getByText(/Master Key/i).count()).toBe(0);

  const text = page.getByLabel('Text', { exact: true });
  await visit(page, `/apps/${app.id}/send`, /^Silent$/);
  await text.fill('written by the sender');
  await context.clearCookies();
  await text.fill('written by the sender alone');
  await signInAgain(page, 'operator');
  await page
    .getByRole('main')
    .getByText(/^Silent$/)
    .waitFor();
  expect(await text.inputValue()).toBe('');
  const drafts = await page.evaluate<readonly string[]>(
    `Object.keys(sessionStorage).filter((key) => sessionStorage[key].includes('written by the sender'))`,
  );
  expect(drafts).toEqual([expect.stringContaining('person sender')]);
});

inBrowser('the admin token opens the door of a fleet, and signing out closes it', async ({ page }) => {
  await signIn(page, 'anybody', { password: fleet.env['ADMIN_TOKEN'] });
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
});

const draftsKept = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`Object.keys(sessionStorage).filter((key) => key.startsWith('pushfleet-draft '))`);

const signOut = (page: Page): Promise<void> => page.getByRole('button', { name: 'Sign out', exact: true }).click();

inBrowser('who signs out leaves nothing, when the session is over and when nobody can be asked', async (watched) => {
  const { page, context, wrongs } = watched;
  const write = async (): Promise<void> => {
    await signIn(page, 'sender');
    await visit(page, `/apps/${app.id}/send`, /^Silent$/);
    await page.getByLabel('Text', { exact: true }).fill('for nobody else');
    await until(async () => (await draftsKept(page)).length > 0);
  };
  await write();
  await context.clearCookies();
  await signOut(page);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await draftsKept(page)).toEqual([]);

  await write();
  await page.route('**/api/v1/session', (route) => (route.request().method() === 'DELETE' ? route.abort() : undefined));
  await page.route('**/', (route) => route.fulfill({ contentType: 'text/html', body: 'the network is away' }));
  await signOut(page);
  await page.getByText('the network is away').waitFor();
  expect(await draftsKept(page)).toEqual([]);
  expect(wrongs.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')]);
});

inBrowser('who signs out in one tab leaves nothing in another', async ({ page, context }) => {
  await signIn(page, 'sender');
  const other = await context.newPage();
  await other.goto(address(`/apps/${app.id}/send`));
  await other.getByLabel('Text', { exact: true }).fill('for nobody else');
  await until(async () => (await draftsKept(other)).length > 0);
  await signOut(page);
  await other.getByRole('button', { name: 'Sign in' }).waitFor();
  await other.getByLabel('Text', { exact: true }).waitFor({ state: 'detached' });
  expect(await draftsKept(other)).toEqual([]);
});

it('a day that is typed is one of where the page is read', () =>
  scene.withPage({ ...WIDE, timeZone: 'Asia/Shanghai' }, async ({ page }) => {
    await signIn(page, 'operator');
    await visit(page, '/audit', /createApp/);
    await page.getByLabel('From (2026-01-31)').fill('2026-01-31');
    await page.getByLabel('Before (2026-02-28)').fill('2026-02-01');
    const asked = page.waitForRequest(/\/api\/v1\/audit\?/);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const from = '2026-01-30T16:00:00.000Z';
    const searchOf = (url: string) => Object.fromEntries(new URL(url, address('/')).searchParams);
    expect(searchOf((await asked).url())).toMatchObject({ from, to: '2026-01-31T16:00:00.000Z' });
    const link = page.getByRole('link', { name: 'Download this list' });
    expect(searchOf((await link.getAttribute('href')) ?? '')).toMatchObject({ from });
    expect(searchOf(page.url())).toMatchObject({ from: '2026-01-31' });

    await visit(page, `/apps/${app.id}/send`, /^Silent$/);
    await page.getByLabel('Audience', { exact: true }).first().click();
    await page.getByRole('option', { name: 'Conditions', exact: true }).click();
    await page.getByLabel('Column', { exact: true }).fill('createdAt');
    await page.getByLabel('Value', { exact: true }).fill('2026-01-31');
    await page.getByText(`[{"createdAt":{"__type":"Date","iso":"${from}"}}]`).waitFor();
    await page.getByLabel('Value', { exact: true }).fill('2026-01-31T08:00');
    await page.getByText('[{"createdAt":{"__type":"Date","iso":"2026-01-31T00:00:00.000Z"}}]').waitFor();
  }));

it('a push is planned for the time that is meant on the days on which the clocks change', () =>
  scene.withPage({ ...WIDE, timeZone: 'America/New_York' }, async ({ page }) => {
    await page.clock.setFixedTime('2026-10-20T12:00:00Z');
    await signIn(page, 'sender');
    await visit(page, `/apps/${app.id}/send`, /^Silent$/);
    await page.getByLabel('Text', { exact: true }).fill('on the day of change');
    await page.getByRole('switch', { name: 'Later' }).click();
    const sendAt = page.getByLabel('Send at', { exact: true });
    await sendAt.fill('2027-03-14T02:30');
    await page.getByText('The clocks go forward over this time', { exact: false }).waitFor();
    const planned = page.waitForRequest(/preflight/);
    await sendAt.fill('2026-11-01T01:30');
    await page.getByText('Time zone: America/New_York, GMT-04:00', { exact: true }).waitFor();
    expect((await planned).postDataJSON()).toMatchObject({ push_time: '2026-11-01T05:30:00.000Z' });
    await sendAt.fill('2026-11-01T02:00');
    await page.getByText('Time zone: America/New_York, GMT-05:00', { exact: true }).waitFor();
  }));

inBrowser('an id that an address has to encode is taken as it is', async ({ page }) => {
  const ids = ['50%', '%41', 'a/b?c#d', '%25'];
  for (const userId of ids)
    await fleet.admin('PUT', `/users/${encodeURIComponent(userId)}`, { name: `called ${userId}` });
  await signIn(page, 'operator');
  for (const userId of ids) {
    await visit(page, '/users', /^Ann$/);
    await page.getByRole('link', { name: userId, exact: true }).click();
    await page.getByText(`called ${userId}`, { exact: true }).waitFor();
    await page.getByRole('heading', { level: 1, name: userId, exact: true }).waitFor();
  }
  await goWithin(page, `/apps/${app.id}/send?device=${encodeURIComponent('%41&50%')}`);
  await page.waitForURL(new RegExp(`/apps/${app.id}/send$`));
  expect(await page.getByLabel('Ids', { exact: true }).inputValue()).toBe('%41&50%');
});

inBrowser('a page that cannot be loaded says so, and the others go on', async ({ page, wrongs }) => {
  await signIn(page, 'operator');
  await page.route('**/assets/users-*', (route) => route.abort());
  await goWithin(page, '/users');
  const alert = page.getByRole('main').getByRole('alert');
  await alert.getByRole('button', { name: 'Try again' }).waitFor();
  expect(wrongs.splice(0).join('\n')).toContain('users');
  await visit(page, '/channels', /^hms$/);
  expect(await alert.count()).toBe(0);
  await page.unroute('**/assets/users-*');
});

inBrowser(
  'what is pressed without a network fails at once, and is not done when there is one again',
  async (watched) => {
    const { page, context, wrongs } = watched;
    const { id } = await fleet.createApp({ name: 'Away' });
    const nameOf = async () => (await fleet.admin<{ name: string }>('GET', `/apps/${id}`)).name;
    const name = page.getByLabel('Name of the app');
    const save = page.getByRole('button', { name: 'Save' });
    await signIn(page, 'owner');
    await visit(page, `/apps/${id}`, /^Away$/);
    await name.fill('Renamed without a network');
    await context.setOffline(true);
    await save.click();
    await page.getByRole('main').getByRole('alert').getByText('It did not work').first().waitFor();
    await context.setOffline(false);
    await visit(page, '/channels', /^hms$/);
    expect(await nameOf()).toBe('Away');
    expect(wrongs.splice(0).filter((wrong) => !wrong.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);

    // A console of this machine is there all the same.
    await page.evaluate(`dispatchEvent(new Event('offline'))`);
    await visit(page, `/apps/${id}`, /^Away$/);
    await name.fill('Renamed on this machine');
    await save.click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await nameOf()).toBe('Renamed on this machine');
  },
);

inBrowser('a token lives for as many days as are typed', async ({ page }) => {
  await signIn(page, 'owner');
  await visit(page, '/settings', /person owner/);
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What it is for').fill('a month');
  const days = dialog.getByLabel('Days');
  await days.press('End');
  await days.press('Backspace');
  await days.press('Backspace');
  await dialog.getByText('A number has to stand here.').waitFor();
  await days.pressSequentially('30');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('Copy it now').waitFor();
  const { results } = await fleet.admin<{ results: { name: string; createdAt: string; expiresAt: string }[] }>(
    ...(['GET', '/api-tokens'] as const),
  );
  const lives = results.map(({ createdAt, expiresAt }) => (Date.parse(expiresAt) - Date.parse(createdAt)) / 86_400_000);
  expect(lives).toEqual([30]);
});

inBrowser('what the browser does not let a page copy is shown to be copied by hand', async ({ page }) => {
  // As where the console is reached without TLS.
  await page.addInitScript({ content: 'delete Navigator.prototype.clipboard' });
  await signIn(page, 'operator');
  await visit(page, `/apps/${app.id}`, /Master Key/i);
  expect(await page.getByText(app.masterKey).count()).toBe(0);
  await page.getByRole('button', { name: 'Copy' }).nth(1).click();
  await page.getByText('The browser does not let this page copy').waitFor();
  await page.getByText(app.masterKey, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Copy' }).last().click();
  await page.getByText(`X-LC-Key: ${app.key}`).waitFor();
});

inBrowser('what cannot be read has a heading, a title and the way back all the same', async ({ page }) => {
  await signIn(page, 'viewer');
  for (const [path, heading, title] of [
    [`/apps/${app.id}/pushes/no-such-push`, 'no-such-push', `no-such-push · ${EVIL}`],
    ['/apps/no-such-app', 'no-such-app', 'no-such-app'],
  ] as const) {
    await visit(page, path, /no-such/);
    await page.getByRole('main').getByRole('alert').waitFor();
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await until(async () => (await page.title()) === `${title} · pushfleet`);
    await page.getByRole('link', { name: 'Pushes', exact: true }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
  }
});

it('a push that shows no text is called what the reader calls it', () =>
  scene.withPage({ width: 1280, lang: 'zh-CN' }, async ({ page }) => {
    const { objectId } = await fleet.push(app, { data: { silent: true }, where: { vendor: 'HMS' } });
    await fleet.done(app, objectId);
    await signIn(page, 'viewer', { lang: 'zh-CN' });
    await visit(page, `/apps/${app.id}/pushes/${objectId}`, /已丢弃/);
    await page.getByRole('heading', { level: 1, name: '静默', exact: true }).waitFor();
  }));

inBrowser('apps stand in the order of their names', async ({ page }) => {
  for (const name of ['zebra', 'ähnlich', 'Banana', 'apple']) await fleet.createApp({ name });
  await signIn(page, 'viewer');
  await page.getByRole('link', { name: 'zebra' }).waitFor();
  const names = await page.getByRole('table').getByRole('link').allInnerTexts();
  expect(names.length).toBeGreaterThan(4);
  expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
});

inBrowser('large numbers are written as people of the language write them', async ({ page }) => {
  const results = [{ channel: 'hms', profile: '_default', count: 12_345_678 }];
  await page.route('**/reach', (route) => route.fulfill({ json: { reachable: 12_345_678, results } }));
  await signIn(page, 'viewer');
  await visit(page, `/apps/${app.id}/audience`, /^Reached: 12,345,678$/);
  await page.getByRole('cell', { name: '12,345,678', exact: true }).waitFor();
});

inBrowser('a condition that is shown as JSON is one where it is typed', async ({ page }) => {
  await signIn(page, 'sender');
  await visit(page, `/apps/${app.id}/devices`, /^android$/);
  await page.getByLabel('Column', { exact: true }).fill('vendor');
  await page.getByLabel('Value', { exact: true }).fill('HMS');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  const field = page.getByLabel('Condition as JSON');
  await page.getByText(`${channelNames.length} / ${channelNames.length} devices`).waitFor();
  expect([await field.inputValue(), await field.getAttribute('aria-invalid')]).toEqual(['[{"vendor":"HMS"}]', null]);

  await visit(page, `/apps/${app.id}/send`, /^Silent$/);
  await page.getByLabel('Text', { exact: true }).fill('to those who were found');
  expect(await countedOn(page)).toBe(channelNames.length);
  await page.getByLabel('Audience', { exact: true }).first().click();
  await page.getByRole('option', { name: 'JSON', exact: true }).click();
  await field.fill('[{"vendor":"HMS"}]');
  expect(await countedOn(page)).toBe(1);
});

inBrowser('a draft that the browser has no room for is written on', async ({ page }) => {
  await signIn(page, 'sender');
  await page.evaluate(`Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }`);
  await visit(page, `/apps/${app.id}/send`, /^Silent$/);
  const text = page.getByLabel('Text', { exact: true });
  await text.fill('not kept');
  await page.getByText('The browser has no room to keep what is written here').waitFor();
  expect(await text.inputValue()).toBe('not kept');
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
      scene.withPage(view, async ({ page }) => {
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
  );
});
