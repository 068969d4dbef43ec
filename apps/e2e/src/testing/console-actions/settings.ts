import { unique } from '@pushfleet/testing';
import { openPage } from '../console-browser';
import { PASSWORD, type Role } from '../console-scene';
import { Hands, refused, type Action } from './hands';

const OTHER_PASSWORD = 'another sentence that is easy to keep';

/** What the API says to whoever signs in so. */
const signsIn = async ({ scene }: Hands, name: string, password: string): Promise<number> => {
  const answer = await fetch(scene.address('/api/v1/session'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-pushfleet-console': '1' },
    body: JSON.stringify({ name, password }),
  });
  return answer.status;
};

const settings = (hands: Hands): Promise<void> => hands.visit('/settings', new RegExp(`^${hands.word('you')}`));

/** Somebody of their own, signed in at this page instead. */
async function become(hands: Hands, role: Role): Promise<string> {
  const name = unique('person');
  await hands.fleet.admin('POST', '/people', { name, password: PASSWORD, role });
  await hands.watched.context.clearCookies();
  await hands.scene.signIn(hands.page, name, { lang: hands.lang });
  await settings(hands);
  return name;
}

/** The dialog that stands before a page whose session is over. */
const sessionOver = (hands: Hands): Promise<void> => hands.dialog.getByText(hands.word('sessionOver')).waitFor();

export const SETTINGS_ACTIONS: readonly Action[] = [
  {
    ...{ name: 'lets a person in, changes what they may do, and takes them out again', who: 'owner' },
    calls: ['POST /people', 'PATCH /people/{name}', 'DELETE /people/{name}'],
    act: async (hands) => {
      const name = unique('new');
      const row = hands.page.getByRole('row').filter({ hasText: name });
      await settings(hands);
      const dialog = await hands.open('newPerson');
      await hands.type('name', name, dialog);
      await hands.refuses('create', ['password', 'short'], dialog);
      expect(await hands.field('name', dialog).inputValue()).toBe(name);
      await hands.type('password', PASSWORD, dialog);
      await hands.finish('create', dialog);
      await row.getByText(hands.word('viewer'), { exact: true }).waitFor();
      expect(await signsIn(hands, name, PASSWORD)).toBe(200);

      const { app } = hands.scene.setting;
      const change = await hands.open('change', row);
      await hands.choose('role', 'sender', change);
      await hands.type('appsOf', app.id, change);
      await hands.finish('save', change);
      await row.getByText(hands.word('sender'), { exact: true }).waitFor();
      const { results } = await hands.fleet.admin<{ results: { name: string }[] }>('GET', '/people');
      expect(results.find((person) => person.name === name)).toMatchObject({ role: 'sender', apps: [app.id] });

      await hands.confirm('remove', row);
      await row.waitFor({ state: 'detached' });
      expect(await signsIn(hands, name, PASSWORD)).toBe(401);
    },
  },
  {
    ...{
      name: 'changes of the rights of a person what they edit, and nothing that is changed meanwhile',
      who: 'owner',
    },
    calls: ['PATCH /people/{name}'],
    act: async (hands) => {
      const { app } = hands.scene.setting;
      const name = unique('of-no-app');
      const path = `/people/${name}`;
      await hands.fleet.admin('POST', '/people', { name, password: PASSWORD, role: 'operator', apps: [] });
      const stored = async (): Promise<unknown> => {
        const { results } = await hands.fleet.admin<{ results: { name: string }[] }>('GET', '/people');
        return results.find((person) => person.name === name);
      };
      const row = hands.page.getByRole('row').filter({ hasText: name });
      await settings(hands);
      await row.getByText(hands.word('none'), { exact: true }).waitFor();
      const change = await hands.open('change', row);
      await hands.choose('role', 'sender', change);
      await hands.finish('save', change);
      expect(await stored()).toMatchObject({ role: 'sender', apps: [] });

      const again = await hands.open('change', row);
      await hands.type('appsOf', app.id, again);
      await hands.fleet.admin('PATCH', path, { role: 'viewer' });
      await hands.finish('save', again);
      expect(await stored()).toMatchObject({ role: 'viewer', apps: [app.id] });

      const wider = await hands.open('change', row);
      await wider.getByRole('switch', { name: hands.word('allApps') }).click();
      await hands.finish('save', wider);
      expect(await stored()).toMatchObject({ role: 'viewer', apps: 'all' });
    },
  },
  {
    ...{ name: 'changes their own password, which ends their session', who: 'viewer' },
    calls: ['PUT /people/{name}/password', 'POST /session'],
    act: async (hands) => {
      const name = await become(hands, 'viewer');
      await hands.type('currentPassword', 'not the current one');
      await hands.type('newPassword', OTHER_PASSWORD);
      await hands.button('changePassword').click();
      await hands.refusedAt('currentPassword', 'not the current one');
      expect(await hands.field('newPassword').inputValue()).toBe(OTHER_PASSWORD);
      await hands.type('currentPassword', PASSWORD);
      await hands.send(hands.button('changePassword'));
      await sessionOver(hands);
      await hands.type('name', name, hands.dialog);
      await hands.type('password', PASSWORD, hands.dialog);
      await hands.button('signIn', hands.dialog).click();
      await hands.dialog.getByRole('alert').waitFor();
      expect(await hands.field('name', hands.dialog).inputValue()).toBe(name);
      await hands.type('password', OTHER_PASSWORD, hands.dialog);
      await hands.button('signIn', hands.dialog).click();
      await hands.dialog.waitFor({ state: 'detached' });
      await hands.page.getByText(hands.word('saved'), { exact: true }).waitFor();
      expect([await signsIn(hands, name, PASSWORD), await signsIn(hands, name, OTHER_PASSWORD)]).toEqual([401, 200]);
    },
  },
  {
    ...{ name: 'signs out everywhere', who: 'viewer' },
    calls: ['DELETE /people/{name}/sessions'],
    act: async (hands) => {
      const name = await become(hands, 'viewer');
      const elsewhere = await openPage(hands.scene.setting.browser, { width: 1280, lang: 'en' });
      try {
        await hands.scene.signIn(elsewhere.page, name);
        await hands.send(hands.button('signOutEverywhere'));
        await sessionOver(hands);
        await elsewhere.page.reload();
        await elsewhere.page.getByRole('button', { name: 'Sign in' }).waitFor();
      } finally {
        await elsewhere.context.close();
      }
    },
  },
  {
    ...{ name: 'signs out', who: 'viewer' },
    calls: ['DELETE /session'],
    act: async (hands) => {
      await settings(hands);
      await hands.button('signOut').click();
      await hands.button('signIn').waitFor();
      await hands.page.reload();
      await hands.button('signIn').waitFor();
    },
  },
  {
    ...{ name: 'makes a token for a program, which is shown once, and removes it', who: 'owner' },
    calls: ['POST /api-tokens', 'DELETE /api-tokens/{tokenId}'],
    act: async (hands) => {
      const name = unique('ci');
      await settings(hands);
      const dialog = await hands.open('newToken');
      await hands.type('tokenName', name, dialog);
      await hands.refuses('create', ['days', '99999'], dialog);
      await hands.type('days', '7', dialog);
      await hands.send(hands.button('create', dialog), dialog);
      await dialog.getByText(hands.word('tokenOnce')).waitFor();
      const token = await dialog.locator('code').innerText();
      const asks = async (): Promise<void> => {
        const { status } = await fetch(hands.scene.address('/api/v1/apps'), {
          headers: { authorization: `Bearer ${token}` },
        });
        if (status !== 200) throw new Error(`the token: ${status} `);
      };
      await asks();
      await hands.page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect(await hands.page.getByText(token).count()).toBe(0);
      const row = hands.page.getByRole('row').filter({ hasText: name });
      await hands.confirm('remove', row);
      await row.waitFor({ state: 'detached' });
      await refused(asks, 401);
    },
  },
  {
    ...{ name: 'chooses the language and the colours of the pages, which stay so', who: 'viewer', calls: [] },
    act: async (hands) => {
      const look = (): Promise<readonly string[]> =>
        hands.page.evaluate('[document.documentElement.lang, document.documentElement.dataset.mantineColorScheme]');
      await settings(hands);
      const [, scheme] = await look();
      const chosen = [hands.lang === 'en' ? 'zh-CN' : 'en', scheme === 'dark' ? 'light' : 'dark'] as const;
      const after = new Hands(hands.scene, hands.watched, chosen[0]);
      await hands.button('language').click();
      await after.button('scheme').click();
      await after.page.reload();
      await after.page.getByRole('heading', { level: 1, name: after.word('settings'), exact: true }).waitFor();
      expect(await look()).toEqual(chosen);
    },
  },
];
