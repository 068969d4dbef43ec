import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@pushfleet/testing';
import type { Browser } from 'playwright-core';
import { openChromium, openPage } from './testing/console-browser';
import { ROOT } from './testing/document-examples';
import { requireInstalled } from './testing/npm-start';
import { withTakenPort } from './testing/taken-port';

const EXAMPLE = join(ROOT, 'examples/chat/start.mjs');
const PORTS = ['INGRESS_PORT', 'CONSOLE_PORT', 'SIMULATOR_PORT', 'USER_INFO_PORT', 'GATEWAY_PORT'];
const TIMEOUT_MS = 240_000;

let folder: string;
let browser: Browser;

beforeAll(async () => {
  requireInstalled();
  folder = mkdtempSync(join(tmpdir(), 'pushfleet-chat-'));
  browser = await openChromium();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** As a reader runs it in a terminal, which signals the fleet as well. */
function start(port: string, more: Readonly<Record<string, string>> = {}) {
  const env = {
    ...more,
    ...{ PATH: process.env['PATH'], HOME: process.env['HOME'], PUSHFLEET_STATE_DIR: folder, CHAT_PORT: port },
    ...Object.fromEntries(PORTS.map((name) => [name, '0'])),
  };
  const child = spawn(process.execPath, [EXAMPLE], { cwd: ROOT, env, detached: true });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => (err += String(chunk)));
  // The outputs end with the last process that writes to them: the fleet.
  const left = once(child, 'close').then(([code]) => ({ code: code as number | null, out, err }));
  const interrupt = () => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
    return left;
  };
  /** What it has written when its addresses stand there. */
  const started = async () => {
    const shown = until(() => out.includes('The console is at'), { timeoutMs: 200_000, everyMs: 100 });
    await Promise.race([shown, left.then(({ code }) => Promise.reject(new Error(`it ended with ${code}: ${err}`)))]);
    return out;
  };
  return { left, interrupt, started };
}

async function walk(out: string): Promise<void> {
  const address = (about: RegExp): string => about.exec(out)?.[1] ?? `no ${String(about)} in ${out}`;
  const enter = async (name: string) => {
    const { page, context } = await openPage(browser, { width: 800, lang: 'en' });
    await page.goto(address(/^The chat is at (\S+)$/m));
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByLabel('Message').waitFor();
    return { page, context };
  };
  const [tom, jerry] = [await enter('Tom'), await enter('Jerry')];
  await jerry.context.close();
  await tom.page.getByText('Jerry is offline').waitFor();
  await tom.page.getByLabel('Message').fill('Dinner?');
  await tom.page.getByRole('button', { name: 'Send' }).click();
  await tom.page.getByText('“Dinner?”: pushed to 1').waitFor();
  const phones = address(/^The phones show (\S+)$/m);
  await until(async () => (await (await fetch(phones)).text()).includes('chat-Jerry'));
  expect((await fetch(address(/^The console is at (\S+)$/m))).headers.get('content-type')).toContain('text/html');
  await tom.context.close();
}

test(
  'one command starts the chat with a fleet of its own, and Ctrl-C ends both',
  async () => {
    const chat = start('0');
    try {
      await walk(await chat.started());
    } finally {
      await chat.interrupt();
    }
    const { code, err } = await chat.left;
    expect({ code, err }).toEqual({ code: 0, err: expect.not.stringMatching(/Killed|does not stop/) });
  },
  TIMEOUT_MS,
);

test('a chat for a fleet that is named names what it lacks to know of it', async () => {
  const chat = start('0', { PUSHFLEET_INGRESS: 'http://127.0.0.1:1', APP_ID: 'an-app' });
  expect(await chat.left).toEqual({
    ...{ code: 1, out: '' },
    err: 'PUSHFLEET_INGRESS names a fleet: set APP_KEY, MASTER_KEY of an app there, too\n',
  });
});

test(
  'a chat whose port is taken says so, and leaves no fleet behind',
  () =>
    withTakenPort(async (port) => {
      const chat = start(port);
      try {
        expect(await chat.left).toMatchObject({ code: 1, err: expect.stringMatching(/^listen EADDRINUSE/m) });
      } finally {
        await chat.interrupt();
      }
    }),
  TIMEOUT_MS,
);
