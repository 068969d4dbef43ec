import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { Hands } from './testing/console-actions/hands';
import { goWithin, overflowOf, seriousFaults, type View } from './testing/console-browser';
import { CONSOLE_FORMS, type ConsoleForm } from './testing/console-forms';
import { ConsoleScene, PASSWORD, WIDE, type Role } from './testing/console-scene';
import { ROOT } from './testing/document-examples';

/** Seconds on a quiet machine; nothing here needs speed. */
const TIMEOUT_MS = 300_000;

const NARROW: View = { width: 390, lang: 'zh-CN' };
const SECRET = 'a secret that nothing keeps';

let scene: ConsoleScene;

beforeAll(async () => {
  scene = await ConsoleScene.open();
  await scene.setting.fleet.admin('POST', '/people', { name: 'another', password: PASSWORD, role: 'owner' });
});

afterAll(() => scene?.close());

/** Where the form is: in its dialog, or on its page. */
const placeOf = (hands: Hands, { opener }: ConsoleForm): Locator =>
  opener ? hands.dialog : hands.page.getByRole('main');

const valuesIn = (hands: Hands, form: ConsoleForm, fields: ConsoleForm['typed']): Promise<readonly string[]> =>
  Promise.all(fields.map(([label]) => hands.field(label, placeOf(hands, form)).inputValue()));

const textsOf = (fields: ConsoleForm['typed']): readonly string[] => fields.map(([, text]) => text);

/** What the browser keeps for the tab and for the site. */
const storedBy = (page: Page): Promise<string> => page.evaluate('JSON.stringify([sessionStorage, localStorage])');

async function typeInto(hands: Hands, form: ConsoleForm): Promise<void> {
  const { path, opener, typed, secrets = [] } = form;
  await goWithin(hands.page, path(hands));
  await opener?.(hands).first().click();
  const place = placeOf(hands, form);
  for (const [label, text] of typed) await hands.type(label, text, place);
  for (const [label] of secrets) await hands.type(label, SECRET, place);
}

async function expectFound(hands: Hands, form: ConsoleForm): Promise<void> {
  const { typed, secrets = [], says } = form;
  if (says) await placeOf(hands, form).getByText(hands.word(says), { exact: true }).waitFor();
  expect(await valuesIn(hands, form, typed)).toEqual(textsOf(typed));
  expect(await valuesIn(hands, form, secrets)).toEqual(textsOf(secrets));
}

/** Gives up what is typed into a dialog. */
async function leave({ page, dialog }: Hands): Promise<void> {
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}

/** Somebody signs in at the door of a tab whose session has ended. */
async function comeBack(hands: Hands, name: Role | 'another'): Promise<void> {
  const { context, page } = hands.watched;
  await context.clearCookies();
  await page.reload();
  await hands.type('name', name);
  await hands.type('password', PASSWORD);
  await hands.button('signIn').click();
  await page.getByRole('navigation').first().waitFor({ state: 'attached' });
}

const asOwner = (view: View, work: (hands: Hands) => Promise<void>): Promise<void> =>
  scene.withPage(view, async (watched) => {
    await scene.signIn(watched.page, 'owner', { lang: view.lang });
    await work(new Hands(scene, watched, view.lang));
  });

const formCalled = (name: string): ConsoleForm => {
  const form = CONSOLE_FORMS.find((known) => known.name === name);
  if (!form) throw new Error(`no form is called ${name}`);
  return form;
};

describe.each([WIDE, NARROW])('at $width px in $lang', (view) => {
  it(
    'a reload loses nothing that was typed into any form, and no secret is kept',
    () =>
      asOwner(view, async (hands) => {
        for (const form of CONSOLE_FORMS) {
          await typeInto(hands, form);
          expect([form.name, (await storedBy(hands.page)).includes(SECRET)]).toEqual([form.name, false]);
          await hands.page.reload();
          await expectFound(hands, form).catch((error: unknown) => {
            throw new Error(`${form.name}: ${String(error)}`, { cause: error });
          });
          if (form.opener) await leave(hands);
        }
      }),
    TIMEOUT_MS,
  );

  it(
    'what was typed is there for its writer after a session that ended, for nobody else, and no longer once they sign out',
    () =>
      asOwner(view, async (hands) => {
        const { page } = hands;
        const [person, settings] = [formCalled('a new person'), formCalled('settings of an app')];
        await typeInto(hands, settings);
        await typeInto(hands, person);

        await comeBack(hands, 'another');
        await hands.button('newPerson').waitFor();
        expect(await hands.dialog.count()).toBe(0);
        await goWithin(page, settings.path(hands));
        await hands.field('appName').waitFor();
        expect(await valuesIn(hands, settings, settings.typed)).not.toEqual(textsOf(settings.typed));
        expect(await page.getByText(hands.word('restored')).count()).toBe(0);

        await comeBack(hands, 'owner');
        await expectFound(hands, settings);
        await goWithin(page, person.path(hands));
        await expectFound(hands, person);
        expect([await seriousFaults(page), await overflowOf(page)]).toEqual([[], 0]);
        await leave(hands);
        await goWithin(page, settings.path(hands));
        await expectFound(hands, settings);
        await hands.button('signOut').click();
        await hands.button('signIn').waitFor();
        expect(await storedBy(page)).not.toContain('half');
      }),
    TIMEOUT_MS,
  );

  it(
    'what is saved or given up does not come back',
    () =>
      asOwner(view, async (hands) => {
        const token = formCalled('a new API token');
        await typeInto(hands, token);
        await hands.button('create', hands.dialog).click();
        await hands.dialog.getByText(hands.word('tokenOnce')).waitFor();
        await hands.page.reload();
        await hands.button('newToken').waitFor();
        await typeInto(hands, formCalled('rights of a person'));
        await leave(hands);
        await hands.page.reload();
        await hands.button('newToken').waitFor();
        expect(await hands.dialog.count()).toBe(0);
        expect(await storedBy(hands.page)).not.toContain('half');
      }),
    TIMEOUT_MS,
  );
});

const PAGES = join(ROOT, 'packages/console-web/src');
const FORMS = /<(?:Form|SendingForm|ScopeFields)\b/g;

/** Nobody is signed in there whose it could be; browsers keep names and passwords themselves. */
const AT_THE_DOOR = ['pages/sign-in.tsx'];
const THE_PARTS = ['parts/form.tsx'];

it('has somebody type into every form of the pages', () => {
  const files = readdirSync(PAGES, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.tsx'));
  const unknown = files.filter((file) => {
    const forms = [...readFileSync(join(PAGES, file), 'utf8').matchAll(FORMS)].length;
    return forms > CONSOLE_FORMS.filter((known) => known.file === file).length;
  });
  expect(unknown.sort()).toEqual([...AT_THE_DOOR, ...THE_PARTS].sort());
});
