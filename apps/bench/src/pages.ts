import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium, type CDPSession, type Page } from 'playwright-core';
import type { BenchFleet } from './bench-fleet';
import type { Benchmark, BenchOptions, Figures } from './benchmark';

/** The most that an update may keep the page from answering whoever uses it. */
const TARGET_MS = 100;
const CALLS_IN_FLIGHT = 16;
/** So that a campaign takes about a minute, however many devices it has. */
const answerAfterMs = (devices: number): number => Math.round((50_000 * CALLS_IN_FLIGHT * 1000) / devices);
const WATCHED_MS = 20_000;
/** By then the page is there: the requests behind it are updates. */
const SETTLE_MS = 3000;
const PERSON = {
  name: 'bench',
  password: 'a sentence that is easy to keep',
  role: 'owner',
};

/** Of the tests: what `npm test` has installed. */
const CHROMIUM = '../../../scripts/test/chromium.cjs';

function chromiumPath(): string {
  const found = createRequire(__filename)(CHROMIUM) as { readonly chromiumPath: () => string };
  return found.chromiumPath();
}

interface Work {
  readonly updates: number;
  /** Of the main thread, in ms. */
  readonly totalMs: number;
  readonly longestTaskMs: number;
}

/** What the main thread does for a page while it is watched. */
async function watch(page: Page, devtools: CDPSession): Promise<Work> {
  await delay(SETTLE_MS);
  let updates = 0;
  const count = (answer: { url(): string }): void => {
    if (/\/api\/v1\/(?!live)/.test(answer.url())) updates += 1;
  };
  await page.evaluate('globalThis.longest = 0');
  const before = await taskSeconds(devtools);
  page.on('response', count);
  await delay(WATCHED_MS);
  page.off('response', count);
  const totalMs = ((await taskSeconds(devtools)) - before) * 1000;
  return {
    updates,
    totalMs,
    longestTaskMs: await page.evaluate<number>('globalThis.longest'),
  };
}

async function taskSeconds(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN;
}

/** Browsers tell of tasks of 50 ms and more. */
const NOTE_LONG_TASKS = `globalThis.longest = 0; new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
}).observe({ entryTypes: ['longtask'] });`;

async function signIn(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/fleet?lang=en`);
  await page.getByLabel('Name', { exact: true }).fill(PERSON.name);
  await page.getByLabel('Password', { exact: true }).fill(PERSON.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
}

async function run(fleet: BenchFleet, { size = 2_000_000, progress }: BenchOptions): Promise<Figures> {
  const app = await fleet.createApp();
  progress(`registering ${size} installations`);
  await fleet.register(app, size);
  await fleet.admin('POST', '/people', PERSON);
  const base = fleet.processes.url('console');
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    // A signal ends the benchmark, and the browser with it: by itself the browser would end the process first.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  try {
    const page = await browser.newPage({
      viewport: { width: 1280, height: 900 },
    });
    await page.addInitScript({ content: NOTE_LONG_TASKS });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable');
    await signIn(page, base);
    progress('baseline: the Fleet page while nothing is sent');
    const idle = await watch(page, devtools);
    await fleet.answerAfter(answerAfterMs(size));
    const pages: Record<string, Work> = {};
    for (const name of ['One push', 'Fleet']) {
      progress(`${name} beside a campaign`);
      const pushId = await fleet.push(app, {
        data: { alert: 'Hello', title: 'Title' },
      });
      await page.goto(`${base}${name === 'Fleet' ? '/fleet' : `/apps/${app.id}/pushes/${pushId}`}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      pages[name] = await watch(page, devtools);
      const { status } = await fleet.admin<{ status: string }>('GET', `/apps/${app.id}/pushes/${pushId}`, undefined);
      if (status === 'done')
        throw new Error('the campaign was over before the page had been watched: take more devices');
      await fleet.admin('DELETE', `/apps/${app.id}/pushes/${pushId}`, undefined);
    }
    return figures(size, idle, pages);
  } finally {
    await browser.close();
  }
}

function figures(size: number, idle: Work, pages: Readonly<Record<string, Work>>): Figures {
  const each = Object.entries(pages).map(([name, work]) => [name, work.totalMs / work.updates] as const);
  const value = Math.max(...each.map(([, ms]) => ms));
  return {
    ratio: TARGET_MS / value,
    value,
    baseline: idle.totalMs / (WATCHED_MS / 1000),
    config: {
      devices: size,
      watchedSeconds: WATCHED_MS / 1000,
      vendorAnswersAfterMs: answerAfterMs(size),
      workers: 1,
    },
    details: Object.fromEntries(
      Object.entries(pages).flatMap(([name, { updates, totalMs, longestTaskMs }]) => [
        [`${name}: ms an update`, totalMs / updates],
        [`${name}: updates`, updates],
        [`${name}: longest task, ms, 0 below 50`, longestTaskMs],
      ]),
    ),
  };
}

export const pages: Benchmark = {
  name: 'pages',
  measures:
    'ms of the main thread of a browser for an update of Fleet and of One push beside a campaign; ratio = 100 ms / the worse; baseline: Fleet, a second without a campaign',
  mustReach: 1,
  goal: 4,
  unit: 'ms an update',
  workers: ['hms'],
  settings: { SEND_CONCURRENCY: String(CALLS_IN_FLIGHT) },
  run,
};
