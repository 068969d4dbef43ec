import { until } from '@pushfleet/testing';
import type { Locator } from 'playwright-core';
import type { DemoApp } from '../../fleet';
import type { Action, Hands } from './hands';

const regionOf = ({ page }: Hands): Locator => page.getByRole('region', { name: 'hms', exact: true });

const open = async (hands: Hands, app: DemoApp): Promise<Locator> => {
  await hands.visit(`/apps/${app.id}/profiles`, /_default/);
  return regionOf(hands);
};

async function enterSecret(hands: Hands, secret: string): Promise<void> {
  const dialog = await hands.open('change', regionOf(hands));
  await hands.type({ verbatim: 'appSecret' }, secret, dialog);
  await hands.finish('save', dialog);
}

export const PROFILE_ACTIONS: readonly Action[] = [
  {
    ...{ name: 'saves another profile, of which a device is reached', who: 'operator' },
    calls: ['PUT /apps/{id}/profiles/{channel}/{profile}'],
    act: async (hands) => {
      const app = await hands.appWith(0);
      const region = await open(hands, app);
      await region.getByRole('button', { name: `${hands.word('newProfile')}: hms` }).click();
      await hands.type('profileName', 'second', hands.dialog);
      await hands.type({ verbatim: 'appId' }, '200', hands.dialog);
      await hands.button('save', hands.dialog).click();
      await hands.refusedAt({ verbatim: 'appSecret' }, '', hands.dialog);
      expect(await hands.field({ verbatim: 'appId' }, hands.dialog).inputValue()).toBe('200');
      await hands.type({ verbatim: 'appSecret' }, 'sim-secret', hands.dialog);
      await hands.finish('save', hands.dialog);
      await region.getByText('second', { exact: true }).waitFor();
      await hands.register(app, 'device-second', { deviceProfile: 'second' });
      expect(await hands.accepted(app, await hands.push(app))).toBe(1);
    },
  },
  {
    ...{ name: 'changes the credentials of a vendor and tests them', who: 'operator' },
    calls: ['PUT /apps/{id}/profiles/{channel}/{profile}', 'POST /apps/{id}/profiles/{channel}/{profile}/test'],
    act: async (hands) => {
      const app = await hands.appWith(1);
      const region = await open(hands, app);
      await enterSecret(hands, 'not the secret');
      await hands.send(hands.button('test', region), region);
      await region.getByText(hands.word('testBad')).waitFor();
      await enterSecret(hands, 'sim-secret');
      await hands.button('test', region).click();
      await region.getByText(hands.word('testOk'), { exact: true }).waitFor();

      // The secret that nobody is shown stays while something else is changed.
      const dialog = await hands.open('change', region);
      expect(await hands.field({ verbatim: 'appSecret' }, dialog).inputValue()).toBe('***');
      await hands.type({ verbatim: 'appId' }, '300', dialog);
      await hands.finish('save', dialog);
      await region.getByText(hands.word('saved'), { exact: true }).waitFor();
      expect(await hands.accepted(app, await hands.push(app))).toBe(1);
      const path = `/apps/${app.id}/profiles/hms/_default`;
      expect(await hands.fleet.admin('GET', path)).toMatchObject({ appId: '300', appSecret: '***' });
    },
  },
  {
    ...{ name: 'copies the address for receipts, and deletes a profile', who: 'operator' },
    calls: ['DELETE /apps/{id}/profiles/{channel}/{profile}'],
    act: async (hands) => {
      const app = await hands.appWith(2);
      const region = await open(hands, app);
      await hands.watched.context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await hands.button('copy', region).click();
      await hands.button('copied', region).waitFor();
      const { receiptUrl } = await hands.fleet.admin<{ receiptUrl: string }>(
        ...(['GET', `/apps/${app.id}/profiles/hms/_default`] as const),
      );
      expect(await hands.page.evaluate<string>('navigator.clipboard.readText()')).toBe(receiptUrl);
      await hands.confirm('remove', region);
      await region.getByText(hands.word('noProfiles')).waitFor();
      // Workers learn of it a moment later.
      await until(async () => {
        const { channels } = await hands.fleet.done(app, await hands.push(app));
        return channels['hms']?.discarded['profile-missing'] === 2;
      });
    },
  },
];
