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
      const [set = ''] = answer.headers.getSetCookie();
      if (set !== '') browser.cookie = set.split(';', 1)[0] ?? '';
      return answer;
    },
    signIn: (name, password) => browser.call('POST', '/session', { name, password }),
  };
  return browser;
}
