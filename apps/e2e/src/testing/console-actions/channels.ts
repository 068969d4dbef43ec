import { until } from '@pushfleet/testing';
import type { Locator } from 'playwright-core';
import type { DemoApp } from '../../fleet';
import type { Action, Hands } from './hands';

const CHANNEL = 'hms';

const rowOf = ({ page }: Hands): Locator =>
  page.getByRole('row').filter({ has: page.getByText(CHANNEL, { exact: true }) });

/** What the row says of one app, once it does. */
const saysOf = (hands: Hands, id: string, states: readonly string[]): Locator =>
  rowOf(hands).getByText(new RegExp(`^(${states.map((state) => hands.word(state)).join('|')}) ${id}$`));

/** An app whose pushes wait, as its channel is paused for it. */
async function pausedApp(hands: Hands, devices: number): Promise<DemoApp> {
  const app = await hands.appWith(devices);
  await hands.fleet.admin('POST', `/channels/${CHANNEL}/pause`, { app: app.id });
  return app;
}

async function resume(hands: Hands, id: string): Promise<void> {
  await hands.confirm('resume', rowOf(hands));
  await rowOf(hands).getByText(id).waitFor({ state: 'detached' });
}

/** A push to two devices waits, and reaches both when its app is resumed. */
async function expectHeld(hands: Hands, app: DemoApp, pushId: string): Promise<void> {
  expect(await hands.waiting(app, pushId, 2)).toMatchObject({ status: 'in-queue', successes: 0 });
  await resume(hands, app.id);
  expect(await hands.accepted(app, pushId)).toBe(2);
}

export const CHANNEL_ACTIONS: readonly Action[] = [
  {
    ...{ name: 'pauses a channel for one app, and resumes it', who: 'operator' },
    calls: ['POST /channels/{channel}/pause', 'POST /channels/{channel}/resume'],
    act: async (hands) => {
      const app = await hands.appWith(2);
      await hands.visit('/channels', /^vivo$/);
      const dialog = await hands.open('pause', rowOf(hands));
      await hands.type('onlyApp', 'no-such-app', dialog);
      await hands.button('pause', dialog).click();
      await hands.told(/no-such-app/, dialog);
      expect(await hands.field('onlyApp', dialog).inputValue()).toBe('no-such-app');
      await hands.type('onlyApp', app.id, dialog);
      await hands.finish('pause', dialog);
      await saysOf(hands, app.id, ['paused']).waitFor();
      const pushId = await hands.push(app);
      await expectHeld(hands, app, pushId);
    },
  },
  {
    ...{ name: 'drains a channel for one app: what was there is sent, and what comes later waits', who: 'operator' },
    calls: ['POST /channels/{channel}/drain', 'POST /channels/{channel}/resume'],
    act: async (hands) => {
      const app = await pausedApp(hands, 2);
      const before = await hands.push(app);
      await hands.waiting(app, before, 2);
      await hands.visit('/channels', /^vivo$/);
      const dialog = await hands.open('drain', rowOf(hands));
      await hands.type('onlyApp', app.id, dialog);
      await hands.finish('drain', dialog);
      await saysOf(hands, app.id, ['draining', 'paused']).waitFor();
      expect(await hands.accepted(app, before)).toBe(2);
      const later = await hands.push(app);
      await expectHeld(hands, app, later);
    },
  },
  {
    ...{ name: 'discards what waits for one app, by its number and no more than that', who: 'operator' },
    calls: ['POST /channels/{channel}/discard', 'POST /channels/{channel}/resume'],
    act: async (hands) => {
      const app = await pausedApp(hands, 3);
      const push = async (): Promise<string> => {
        const pushId = await hands.push(app);
        await hands.waiting(app, pushId, 3);
        return pushId;
      };
      const counted = (devices: number) =>
        until(async () => {
          const path = `/channels/${CHANNEL}/discard?app=${app.id}`;
          return (await hands.fleet.admin<{ devices: number }>('GET', path)).devices === devices;
        });
      const first = await push();
      await counted(3);
      await hands.visit('/channels', /^vivo$/);
      const dialog = await hands.open('discard', rowOf(hands));
      await hands.type('onlyApp', app.id, dialog);
      const count = (devices: number, pushes: number): Promise<void> =>
        dialog.getByText(`${devices} ${hands.word('devicesOf')}, ${pushes} ${hands.word('pushesOf')}`).waitFor();
      await hands.button('countIt', dialog).click();
      await count(3, 1);
      expect(await hands.button('discard', dialog).isDisabled()).toBe(true);
      await hands.type('typeCount', '3', dialog);
      // More came since: as many as were seen may be discarded, and no more.
      const second = await push();
      await counted(6);
      await hands.button('discard', dialog).click();
      await hands.told(hands.said('6 devices wait (pushes: 2), and confirm allows 3; nothing was discarded'), dialog);
      expect(await hands.field('typeCount', dialog).inputValue()).toBe('3');
      await hands.button('countIt', dialog).click();
      await count(6, 2);
      await hands.type('typeCount', '6', dialog);
      await hands.finish('discard', dialog);
      await saysOf(hands, app.id, ['discarding']).waitFor();
      for (const pushId of [first, second])
        expect((await hands.fleet.done(app, pushId)).channels[CHANNEL]).toMatchObject({
          ...{ accepted: 0, discarded: { 'channel-unavailable': 3 } },
        });
      await resume(hands, app.id);
      // The worker learns of it a moment later, and discards until then.
      await until(async () => (await hands.accepted(app, await hands.push(app))) === 3);
    },
  },
];
