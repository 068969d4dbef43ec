import { readFileSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

/** Debian's, which the configuration of jest has looked for; what npm would download is no part of the tests. */
export const EXECUTABLE = process.env['PUSHFLEET_CHROMIUM'] ?? '';

export const openChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox', '--disable-dev-shm-usage'] });

export interface View {
  readonly width: number;
  readonly lang: 'en' | 'zh-CN';
  /** Where it is read; that of this machine unless it says otherwise. */
  readonly timeZone?: string;
}

/** The end of what never comes, on the busiest machine. */
const PATIENCE_MS = 90_000;

/** A page, and everything that went wrong in it. */
export interface Watched {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of scripts and of the console, and what the policy of the pages refused. */
  readonly wrongs: string[];
}

export async function openPage(browser: Browser, view: View): Promise<Watched> {
  return openTab(await openContext(browser, view));
}

export async function openContext(browser: Browser, { width, lang, timeZone }: View): Promise<BrowserContext> {
  // Without motion a dialog is there at once: half faded in, its text has too little contrast.
  const look = { viewport: { width, height: 900 }, locale: lang, reducedMotion: 'reduce' } as const;
  const context = await browser.newContext({ ...look, ...(timeZone === undefined ? {} : { timezoneId: timeZone }) });
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

export async function openTab(context: BrowserContext): Promise<Watched> {
  const page = await context.newPage();
  const wrongs: string[] = [];
  page.on('pageerror', (error) => wrongs.push(error.message));
  page.on('console', (message) => {
    // A refusal that the page asked for is an answer; Chromium writes it down all the same.
    const isAnswer =
      /Failed to load resource: the server responded with a status of 4(00|01|03|04|09)/.test(message.text()) &&
      new URL(message.location().url).pathname.startsWith('/api/v1/');
    if (message.type() === 'error' && !isAnswer) wrongs.push(message.text());
  });
  await page.exposeFunction('refusedByPolicy', (what: string) => wrongs.push(`refused by policy: ${what}`));
  await page.addInitScript({
    content: `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
      refusedByPolicy([violatedDirective, blockedURI, sample].join(' ')));`,
  });
  return { context, page, wrongs };
}

interface Axe {
  run(): Promise<{
    readonly violations: readonly { id: string; impact: string; nodes: readonly { html: string }[] }[];
  }>;
}

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What axe calls serious or worse. */
export async function seriousFaults(page: Page): Promise<readonly string[]> {
  // As an expression of the debugger: the policy of the page lets in no script from elsewhere.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: Axe };
    return (await axe.run()).violations.map(({ id, impact, nodes }) => ({ id, impact, html: nodes[0]?.html ?? '' }));
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, html }) => `${id}: ${html}`);
}

/** Nothing but tables may be wider than the window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Words of the named elements that begin on one line and go on in the next. */
export const brokenWordsOf = (page: Page, selector: string): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`(() => {
    const broken = [];
    for (const element of document.querySelectorAll(${JSON.stringify(selector)})) {
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        for (const { 0: word, index } of node.data.matchAll(/[A-Za-z0-9]+/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
        }
      }
    }
    return broken;
  })()`);

/** Goes to another page as a link within the pages does: nothing is loaded again. */
export const goWithin = (page: Page, path: string): Promise<unknown> =>
  page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
