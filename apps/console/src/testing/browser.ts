import { writeJson } from '@pushfleet/domain';
import type { Answer, ConsoleHarness } from './console-harness';

type Sent = Readonly<Record<string, string>>;

/** A browser as the API sees it: it keeps the cookie, and a page of the console sends the header. */
export interface Browser {
  cookie: string;
  call(method: string, path: string, ...more: readonly [body?: unknown, headers?: Sent]): Promise<Answer>;
  signIn(name: string, password: string): Promise<Answer>;
}

export function openBrowser(console: Pick<ConsoleHarness, 'raw'>): Browser {
  const browser: Browser = {
    cookie: '',
    async call(method, path, ...[body, headers = { 'x-pushfleet-console': '1' }]) {
      const sent = new Headers(headers);
      if (body !== undefined) sent.set('content-type', 'application/json');
      if (browser.cookie !== '') sent.set('cookie', browser.cookie);
      const answer = await console.raw(`/api/v1${path}`, {
        ...{ method, headers: sent },
        ...(body === undefined ? {} : { body: writeJson(body) }),
      });
      browser.cookie = withSet(browser.cookie, answer.headers.getSetCookie());
      return answer;
    },
    signIn: (name, password) => browser.call('POST', '/session', { name, password }),
  };
  return browser;
}

/** What a browser sends after it was told to keep some cookies and to drop others. */
function withSet(cookie: string, sets: readonly string[]): string {
  const pairs = [...cookie.split('; '), ...sets.map((set) => set.split(';', 1)[0] ?? '')].filter((pair) => pair !== '');
  const kept = new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair]));
  return [...kept.values()].filter((pair) => !pair.endsWith('=')).join('; ');
}
