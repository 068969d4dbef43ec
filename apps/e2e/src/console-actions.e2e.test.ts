import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@pushfleet/testing';
import type { Response } from 'playwright-core';
import { APP_ACTIONS } from './testing/console-actions/apps';
import { CHANNEL_ACTIONS } from './testing/console-actions/channels';
import { DEVICE_ACTIONS } from './testing/console-actions/devices';
import { Hands, type Action } from './testing/console-actions/hands';
import { PROFILE_ACTIONS } from './testing/console-actions/profiles';
import { SENDING_ACTIONS } from './testing/console-actions/sending';
import { SETTINGS_ACTIONS } from './testing/console-actions/settings';
import { USER_ACTIONS } from './testing/console-actions/users';
import { type View } from './testing/console-browser';
import { ConsoleScene, WIDE } from './testing/console-scene';
import { ROOT } from './testing/document-examples';

const ACTIONS: readonly Action[] = [
  ...[...CHANNEL_ACTIONS, ...APP_ACTIONS, ...PROFILE_ACTIONS, ...SENDING_ACTIONS, ...DEVICE_ACTIONS],
  ...[...USER_ACTIONS, ...SETTINGS_ACTIONS],
];

const NARROW: View = { width: 390, lang: 'zh-CN' };

let scene: ConsoleScene;

beforeAll(async () => {
  scene = await ConsoleScene.open();
});

afterAll(() => scene?.close());

const API = '/api/v1';

const patternOf = (call: string): RegExp => new RegExp(`^${call.replace(/\$?\{\w+\}/g, '[^/]+')}$`);

/** What a page asked the API to change, and got; as method and path. */
function changeBy(response: Response): readonly string[] {
  const method = response.request().method();
  const { pathname } = new URL(response.url());
  return method !== 'GET' && response.ok() && pathname.startsWith(API)
    ? [`${method} ${pathname.slice(API.length)}`]
    : [];
}

function allDone(calls: readonly string[], done: readonly string[]): true {
  expect(calls.filter((call) => !done.some((one) => patternOf(call).test(one)))).toEqual([]);
  return true;
}

describe.each([WIDE, NARROW])('at $width px in $lang', (view) => {
  it.each(ACTIONS)('$who: $name', ({ who, calls, act }) =>
    scene.withTabOf(who, view, async (watched) => {
      const done: string[] = [];
      watched.page.on('response', (response) => done.push(...changeBy(response)));
      await act(new Hands(scene, watched, view.lang));
      // The stream may show what a call did before its answer is here.
      await until(() => allDone(calls, done));
    }),
  );
});

const PAGES = join(ROOT, 'packages/console-web/src');
const CALL = /api\.(POST|PUT|PATCH|DELETE)\(\s*['`]\/api\/v1([^'`]+)['`]/g;

/** Done where a provider is there to sign in at. */
const SINGLE_SIGN_ON = ['POST /session/oidc', 'DELETE /single-sign-on/{subject}/sessions'];

it('has somebody do everything that the pages can ask of the API', () => {
  const sources = readdirSync(PAGES, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path));
  const asked = sources.flatMap((path) =>
    [...readFileSync(join(PAGES, path), 'utf8').matchAll(CALL)].map(([, method, call]) => `${method} ${call}`),
  );
  const done = [...ACTIONS.flatMap(({ calls }) => calls), ...SINGLE_SIGN_ON];
  expect(asked.length).toBeGreaterThan(25);
  expect(asked.filter((call) => !done.some((one) => patternOf(call).test(one)))).toEqual([]);
});
