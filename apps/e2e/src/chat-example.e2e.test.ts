import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from '@pushfleet/testing';
import type { Browser, Page } from 'playwright-core';
import { Fleet, type DemoApp } from './fleet';
import { openChromium, openPage, seriousFaults, type Watched } from './testing/console-browser';

let fleet: Fleet;
let app: DemoApp;
let browser: Browser;
let chat: ChildProcess;
let url: string;

const EXAMPLE = join(__dirname, '../../../examples/chat/start.mjs');

beforeAll(async () => {
  browser = await openChromium();
  ({ fleet, app } = await Fleet.withApp(['hms']));
  ({ chat, url } = await startChat());
});

afterAll(async () => {
  if (chat?.exitCode === null && chat.signalCode === null) {
    chat.kill('SIGTERM');
    await once(chat, 'exit');
  }
  await browser?.close();
  await fleet?.stop();
});

async function startChat(): Promise<{ chat: ChildProcess; url: string }> {
  const env = {
    ...{ PATH: process.env['PATH'], PUSHFLEET_INGRESS: fleet.url('ingress'), CHAT_PORT: '0' },
    ...{ APP_ID: app.id, APP_KEY: app.key, MASTER_KEY: app.masterKey },
  };
  const child = spawn(process.execPath, [EXAMPLE], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const failed = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the chat left with ${String(code)}`)));
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), failed])) as [string];
  failed.catch(() => undefined);
  return { chat: child, url: line.replace('The chat is at ', '') };
}

async function enter(name: string): Promise<Watched> {
  const watched = await openPage(browser, { width: 800, lang: 'en' });
  await watched.page.goto(url);
  await watched.page.getByLabel('Name').fill(name);
  await watched.page.getByRole('button', { name: 'Log in' }).click();
  await watched.page.getByLabel('Message').waitFor();
  return watched;
}

const shows = (page: Page, text: string): Promise<void> => page.getByText(text).waitFor();

async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message').fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
}

interface Shown {
  readonly title: string;
  readonly body: string;
  readonly notifyId: number;
}

/** What the vendor was given for the phone of a user, the oldest first. */
async function shownOn(registrationId: string): Promise<readonly Shown[]> {
  const { results } = await fleet.simulator<{ results: readonly { body: string; registrationIds: string[] }[] }>(
    ...(['GET', '/messages?channel=hms&limit=100'] as const),
  );
  const mine = results.filter(({ registrationIds }) => registrationIds.includes(registrationId)).reverse();
  return mine.map(({ body }) => {
    const { message } = JSON.parse(body) as {
      message: { notification: Omit<Shown, 'notifyId'>; android: { notification: { notify_id: number } } };
    };
    return { ...message.notification, notifyId: message.android.notification.notify_id };
  });
}

test('who is offline gets the vendor’s push, none once the room is muted, and one that is forced by a mention', async () => {
  const tom = await enter('Tom');
  const jerry = await enter('Jerry');
  await say(tom.page, 'Welcome');
  await shows(jerry.page, 'Tom: Welcome');
  await shows(tom.page, '“Welcome”: pushed to 0, muted by 0, unreachable 0');
  expect(await seriousFaults(tom.page)).toEqual([]);

  await jerry.context.close();
  await shows(tom.page, 'Jerry is offline');
  await say(tom.page, 'Are you there?');
  await shows(tom.page, '“Are you there?”: pushed to 1, muted by 0');
  await until(async () => (await shownOn('chat-Jerry')).length === 1);

  const back = await enter('Jerry');
  await back.page.getByLabel('Mute the lobby').check();
  await shows(back.page, 'The lobby is muted');
  await back.context.close();
  await shows(tom.page, 'Jerry is offline');
  await say(tom.page, 'Still nothing');
  await shows(tom.page, '“Still nothing”: pushed to 0, muted by 1');

  await say(tom.page, '@Jerry dinner!');
  await shows(tom.page, '“@Jerry dinner!”: pushed to 1, muted by 0');
  const shown = await until(async () => {
    const found = await shownOn('chat-Jerry');
    if (found.length < 2) throw new Error(JSON.stringify(found));
    return found;
  });
  expect(shown.map(({ title, body }) => [title, body])).toEqual([
    ['lobby', 'Tom: Are you there?'],
    ['lobby', 'Tom: @Jerry dinner!'],
  ]);
  // The second takes the place of the first.
  expect(new Set(shown.map(({ notifyId }) => notifyId)).size).toBe(1);
  expect(await shownOn('chat-Tom')).toEqual([]);
  const returned = await enter('Jerry');
  expect(await returned.page.getByLabel('Mute the lobby').isChecked()).toBe(true);
  expect([...tom.wrongs, ...jerry.wrongs, ...back.wrongs, ...returned.wrongs]).toEqual([]);
});

test('who says something and wants no answer gets none, and ends nothing', async () => {
  const { page, wrongs } = await enter('Spike');
  await page.evaluate("for (const event of ['log in', 'say', 'mute', 'log out']) socket.emit(event, 'x')");
  await say(page, 'Still here');
  await shows(page, '“Still here”: pushed to');
  expect(wrongs).toEqual([]);
});

test('it leaves at a signal beside a connection that says nothing, such as browsers open ahead', async () => {
  const silent = connect(Number(new URL(url).port), '127.0.0.1');
  await once(silent, 'connect');
  // Whoever connects later is taken later: an answer to it means that the chat knows the one before.
  expect((await fetch(url)).status).toBe(200);
  silent.on('error', () => undefined);
  const left = once(chat, 'exit');
  const { page } = await enter('Tom');
  chat.kill('SIGTERM');
  try {
    expect(await left).toEqual([0, null]);
    await say(page, 'Anybody?');
    await shows(page, 'The chat does not answer');
  } finally {
    silent.destroy();
  }
});
