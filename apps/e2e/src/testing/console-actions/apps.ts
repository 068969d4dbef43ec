import { unique, until } from '@pushfleet/testing';
import type { DemoApp } from '../../fleet';
import { refused, type Action, type Hands } from './hands';

interface StoredApp extends DemoApp {
  readonly name: string;
  readonly edition: string;
  readonly hybrid: boolean;
}

const stored = ({ fleet }: Hands, id: string): Promise<StoredApp> => fleet.admin('GET', `/apps/${id}`);

const save = async (hands: Hands): Promise<void> => {
  await hands.send(hands.button('save'));
  await hands.page.getByRole('status').getByText(hands.word('saved'), { exact: true }).waitFor();
};

const settingsOf = (hands: Hands, app: DemoApp): Promise<void> => hands.visit(`/apps/${app.id}`, new RegExp(app.id));

const TOO_LONG = 'x'.repeat(300);

export const APP_ACTIONS: readonly Action[] = [
  {
    ...{ name: 'creates an app, and switches its vendor channels on', who: 'operator' },
    calls: ['POST /apps', 'PATCH /apps/{id}'],
    act: async (hands) => {
      const name = unique('made');
      const dialog = await hands.open('newApp');
      await hands.button('create', dialog).click();
      await hands.refusedAt('appName', '', dialog);
      await hands.type('appName', name, dialog);
      await hands.choose('edition', 'developer', dialog);
      await hands.button('create', dialog).click();
      await hands.told(hands.said('hybrid needs the commercial edition'), dialog);
      expect(await hands.field('appName', dialog).inputValue()).toBe(name);
      await hands.choose('edition', 'commercial', dialog);
      await dialog.getByRole('switch', { name: hands.word('hybrid') }).click();
      await hands.finish('create', dialog);
      await hands.page.getByRole('heading', { level: 1, name }).waitFor();
      const app = await stored(hands, new URL(hands.page.url()).pathname.split('/').at(-1) ?? '');
      expect(app).toMatchObject({ name, edition: 'commercial', hybrid: false });

      await hands.fleet.admin('PUT', `/apps/${app.id}/profiles/hms/_default`, { appId: '1', appSecret: 'sim-secret' });
      await hands.register(app, 'device-0');
      expect(await hands.accepted(app, await hands.push(app))).toBe(0);
      await hands.page.getByRole('switch', { name: hands.word('hybrid') }).click();
      await save(hands);
      expect(await stored(hands, app.id)).toMatchObject({ hybrid: true });
      await until(async () => (await hands.accepted(app, await hands.push(app))) === 1);
    },
  },
  {
    ...{ name: 'takes the right to push from the app key, and limits it', who: 'operator' },
    calls: ['PATCH /apps/{id}'],
    act: async (hands) => {
      const app = await hands.appWith(1);
      const clientPush = hands.page.getByRole('switch', { name: hands.word('clientPush') });
      await settingsOf(hands, app);
      await clientPush.click();
      await save(hands);
      await refused(() => hands.push(app), 403);
      await clientPush.click();
      await hands.type('callsPerMinute', '1');
      await hands.refuses('save', ['appName', TOO_LONG]);
      expect(await hands.field('callsPerMinute').inputValue()).toBe('1');
      await hands.type('appName', 'Limited');
      await save(hands);
      await refused(() => hands.push(app), 429);
      expect(await stored(hands, app.id)).toMatchObject({
        ...{ name: 'Limited', clientPush: true, limits: { callsPerMinute: 1 } },
      });
    },
  },
  {
    ...{ name: 'replaces the app key, lets the one before live beside it, and ends that', who: 'owner' },
    calls: ['POST /apps/{id}/keys', 'DELETE /apps/{id}/replaced-keys/{which}'],
    act: async (hands) => {
      const app = await hands.appWith(1);
      const keys = hands.page.getByRole('region', { name: hands.word('keys'), exact: true });
      await settingsOf(hands, app);
      await hands.confirm('rotate', keys);
      await keys.getByText(hands.word('oldKeyUntil')).waitFor();
      await hands.button('show', keys).first().click();
      const key = await keys.locator('code').first().innerText();
      expect(key).toBe((await stored(hands, app.id)).key);
      expect(key).not.toBe(app.key);
      const next = { ...app, key };
      await until(() => hands.push(next));
      await hands.push(app);
      await hands.confirm('endOldKey', keys);
      await keys.getByText(hands.word('oldKeyUntil')).waitFor({ state: 'detached' });
      await refused(() => hands.push(app), 401);
      await hands.push(next);
    },
  },
  {
    ...{ name: 'deletes an app, and with it its keys and its devices', who: 'owner' },
    calls: ['DELETE /apps/{id}'],
    act: async (hands) => {
      const app = await hands.appWith(2);
      await settingsOf(hands, app);
      const dialog = await hands.open('deleteApp');
      await hands.type({ verbatim: app.id }, `${app.id} `, dialog);
      expect(await hands.button('deleteApp', dialog).isDisabled()).toBe(true);
      await hands.type({ verbatim: app.id }, app.id, dialog);
      await hands.finish('deleteApp', dialog);
      await hands.page.getByRole('heading', { level: 1, name: hands.word('apps'), exact: true }).waitFor();
      await hands.page.getByText(app.id).waitFor({ state: 'detached' });
      await refused(() => hands.push(app), 401);
      await refused(() => stored(hands, app.id), 404);
    },
  },
];
