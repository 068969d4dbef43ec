import { DAY_MS, LIMITS } from '@pushfleet/domain';
import { unique } from '@pushfleet/testing';
import type { DemoApp } from '../../fleet';
import type { Action, Hands } from './hands';

const PREFLIGHT = 'POST /apps/{id}/pushes/preflight';
const PUSH = 'POST /apps/{id}/pushes';

const compose = (hands: Hands, app: DemoApp): Promise<void> =>
  hands.visit(`/apps/${app.id}/send`, new RegExp(`^${hands.word('silent')}$`));

const write = (hands: Hands, text = 'Hello'): Promise<void> => hands.type('text', text);

/** The audience stands before the text: without one there is nothing to count yet. */
async function composeFor(hands: Hands, app: DemoApp, audience: string): Promise<void> {
  await compose(hands, app);
  await hands.choose('audience', audience);
}

/** What is written reaches so many devices, each of them and no other. */
async function reaches(hands: Hands, app: DemoApp, devices: readonly string[]): Promise<void> {
  const pushId = await hands.sendTo(devices.length);
  expect(await hands.accepted(app, pushId)).toBe(devices.length);
  const { results } = await hands.fleet.simulator<{ results: { pushId: string; registrationIds: string[] }[] }>(
    ...(['GET', '/messages?channel=hms&limit=100'] as const),
  );
  const sent = results.filter((message) => message.pushId === pushId).flatMap(({ registrationIds }) => registrationIds);
  expect([...sent].sort()).toEqual(devices.map((device) => `alive-${app.id}-${device}`).sort());
  await hands.page.getByText(hands.word('done'), { exact: true }).first().waitFor();
}

/** A browser has it as `ROUNDED`, unless it takes care. */
const LONG = 1234567890123456789n;
const ROUNDED = BigInt(JSON.stringify(Number(LONG)));

export const SENDING_ACTIONS: readonly Action[] = [
  {
    ...{ name: 'sends to everybody, whose number has to be typed when they are many', who: 'sender' },
    calls: [PREFLIGHT, PUSH],
    act: async (hands) => {
      const app = await hands.appWith(0);
      const at = new Date().toISOString();
      const rows = Array.from({ length: 1000 }, (_, i) => ({
        ...{ objectId: unique('o'), createdAt: at, updatedAt: at, deviceType: 'android', valid: true },
        ...{ installationId: `crowd-${i}`, vendor: 'HMS', registrationId: `alive-crowd-${i}` },
      }));
      await hands.fleet.admin('POST', `/apps/${app.id}/installations/import`, { rows });
      await compose(hands, app);
      await write(hands);
      expect(await hands.accepted(app, await hands.sendTo(1000))).toBe(1000);
    },
  },
  {
    ...{ name: 'sends to whoever subscribed to a channel', who: 'sender' },
    calls: [PREFLIGHT, PUSH],
    act: async (hands) => {
      const app = await hands.appWith(1);
      await hands.register(app, 'reader', { channels: ['news'] });
      await composeFor(hands, app, 'byChannels');
      await hands.field('channelNames').fill('news');
      await hands.page.keyboard.press('Enter');
      await write(hands);
      await reaches(hands, app, ['reader']);
    },
  },
  {
    ...{ name: 'sends to those for whom several conditions hold', who: 'sender' },
    calls: [PREFLIGHT, PUSH],
    act: async (hands) => {
      const app = await hands.appWith(0);
      await hands.register(app, 'low', { level: 3, town: 'Oslo' });
      await hands.register(app, 'high', { level: 7, town: 'Oslo' });
      await hands.register(app, 'elsewhere', { level: 7, town: 'Rome' });
      await composeFor(hands, app, 'byConditions');
      const condition = (at: number) => hands.page.locator('fieldset').nth(at);
      await hands.type('column', 'level', condition(0));
      await hands.choose('operator_', 'isAtLeast', condition(0));
      await hands.type('value', '5', condition(0));
      await hands.button('addCondition').click();
      await hands.type('column', 'town', condition(1));
      await hands.type('value', 'Oslo', condition(1));
      await hands.button('addCondition').click();
      await hands.button('removeCondition').last().click();
      await write(hands);
      await reaches(hands, app, ['high']);
    },
  },
  {
    ...{ name: 'sends to those whom a condition in JSON names', who: 'sender' },
    calls: [PREFLIGHT, PUSH],
    act: async (hands) => {
      const app = await hands.appWith(1);
      await hands.register(app, 'gold', { tier: 'gold' });
      await composeFor(hands, app, 'byWhere');
      await hands.type('whereJson', '{"tier": ');
      await hands.page.getByText(hands.word('notCondition')).waitFor();
      await hands.type('whereJson', '{"tier": {"$unheard": 1}}');
      await write(hands);
      await hands.refusedAt('whereJson', '{"tier": {"$unheard": 1}}');
      await hands.type('whereJson', '{"tier": "gold"}');
      await reaches(hands, app, ['gold']);
    },
  },
  {
    ...{ name: 'sends to the devices of a file', who: 'sender' },
    calls: [PREFLIGHT, PUSH],
    act: async (hands) => {
      const app = await hands.appWith(3);
      await composeFor(hands, app, 'byIds');
      const read = (text: string) =>
        hands.page
          .locator('input[type=file]')
          .setInputFiles({ name: 'devices.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
      await hands.type('ids', 'device-0');
      await read(`installationId\n${'x'.repeat(1024 * 1024)}\n`);
      await hands.page.getByText(hands.word('csvTooLarge')).waitFor();
      await hands.refusedAt('ids', 'device-0');
      await read('name,installationId\nFirst,device-0\n"Third, and last",device-2\n');
      await hands.page.getByText(`2 ${hands.word('idsCount')}`, { exact: true }).waitFor();
      await write(hands);
      await reaches(hands, app, ['device-0', 'device-2']);
    },
  },
  {
    ...{ name: 'sends to devices by their objectIds, and is told when there are too many', who: 'sender' },
    calls: [PREFLIGHT, PUSH],
    act: async (hands) => {
      const app = await hands.appWith(1);
      const { results } = await hands.fleet.callAsServer<{ results: { objectId: string }[] }>(
        ...([app, ['GET', '/installations']] as const),
      );
      await composeFor(hands, app, 'byIds');
      await hands.choose('idsAre', 'object_ids');
      const many = Array.from({ length: LIMITS.deviceIds.value + 1 }, (_, i) => `o${i}`).join('\n');
      await hands.type('ids', many);
      await write(hands);
      await hands.refusedAt('ids', many);
      await hands.type('ids', results[0]?.objectId ?? '');
      await reaches(hands, app, ['device-0']);
    },
  },
  {
    ...{ name: 'tests a push on a device of their own', who: 'sender' },
    calls: [PUSH],
    act: async (hands) => {
      const app = await hands.appWith(2);
      await compose(hands, app);
      await write(hands);
      const part = hands.page.getByRole('region', { name: hands.word('testDevice'), exact: true });
      await hands.type({ verbatim: 'installationId' }, 'device-1', part);
      await hands.send(hands.button('sendToDevice', part), part);
      await part.getByText(hands.word('sentToDevice')).waitFor();
      const pushId = await part.getByRole('link').innerText();
      expect(await hands.accepted(app, pushId)).toBe(1);
    },
  },
  {
    ...{ name: 'plans a push, and cancels it before its time has come', who: 'sender' },
    calls: [PREFLIGHT, PUSH, 'DELETE /apps/{id}/pushes/{pushId}'],
    act: async (hands) => {
      const app = await hands.appWith(1);
      await compose(hands, app);
      await hands.page.getByRole('switch', { name: hands.word('later') }).click();
      await hands.type('expiresAfter', 'soon');
      await write(hands);
      await hands.refusedAt('expiresAfter', 'soon');
      await hands.type('expiresAfter', '48');
      const inADay = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
      await hands.type('sendAt', inADay);
      const pushId = await hands.sendTo(1);
      await hands.page.getByText(hands.word('scheduledFor')).first().waitFor();
      await hands.confirm('cancelPush');
      await hands.page.getByText(hands.word('cancelled'), { exact: true }).first().waitFor();
      expect(await hands.button('cancelPush').count()).toBe(0);
      const path = `/apps/${app.id}/pushes/${pushId}`;
      expect(await hands.fleet.admin('GET', path)).toMatchObject({ cancelled: true, successes: 0 });
    },
  },
  {
    ...{ name: 'sends nothing at once that is to be sent later, however long the dialog stands open', who: 'sender' },
    calls: [PREFLIGHT],
    act: async (hands) => {
      const app = await hands.appWith(1);
      await compose(hands, app);
      await hands.page.getByRole('switch', { name: hands.word('later') }).click();
      await write(hands);
      const past = '2020-01-01T09:00';
      await hands.type('sendAt', past);
      await hands.refusedAt('sendAt', past);
      const button = hands.page.getByRole('button', { name: `${hands.word('sendTo')} 1`, exact: true });
      await button.waitFor();
      expect(await button.isDisabled()).toBe(true);

      await hands.type('sendAt', new Date(Date.now() + DAY_MS).toISOString().slice(0, 16));
      await button.click();
      const last = hands.dialog.getByRole('button', { name: `${hands.word('sendTo')} 1`, exact: true });
      await last.waitFor();
      // Somebody presses it in the moment in which it is too late.
      await last.evaluate(
        (pressed: { click(): void }, late: number) => {
          Date.now = () => late;
          pressed.click();
        },
        Date.now() + 2 * DAY_MS,
      );
      await hands.told(hands.word('sendAtSoon'), hands.dialog);
      await last.and(hands.page.locator(':disabled')).waitFor();
      expect(await hands.fleet.admin('GET', `/apps/${app.id}/pushes`)).toMatchObject({ results: [] });
    },
  },
  {
    ...{ name: 'repeats a push', who: 'sender' },
    calls: [PREFLIGHT, PUSH],
    act: async (hands) => {
      const app = await hands.appWith(2);
      const first = await hands.push(app, { data: { alert: 'once and again' } });
      await hands.accepted(app, first);
      await hands.visit(`/apps/${app.id}/pushes/${first}`, /once and again/);
      await hands.page.getByRole('link', { name: hands.word('repeat'), exact: true }).click();
      await hands.field('text').waitFor();
      await reaches(hands, app, ['device-0', 'device-1']);
      expect(await hands.pushShown()).not.toBe(first);
    },
  },
  {
    ...{ name: 'sends to a device by a number that has more digits than a browser counts', who: 'sender' },
    calls: [PREFLIGHT, PUSH],
    act: async (hands) => {
      const app = await hands.appWith(0);
      await hands.register(app, 'device-right', { userId: LONG });
      await hands.register(app, 'device-wrong', { userId: ROUNDED });
      await composeFor(hands, app, 'byWhere');
      await hands.type('whereJson', `{"userId":${LONG}}`);
      await hands.type('moreData', `{"orderId":${LONG}}`);
      await write(hands);
      await reaches(hands, app, ['device-right']);

      await hands.page.getByRole('link', { name: hands.word('repeat'), exact: true }).click();
      await hands.field('text').waitFor();
      const written = [await hands.field('whereJson').inputValue(), await hands.field('moreData').inputValue()];
      expect(written.map((text) => text.replace(/\s/g, ''))).toEqual([`{"userId":${LONG}}`, `{"orderId":${LONG}}`]);
      await reaches(hands, app, ['device-right']);

      await composeFor(hands, app, 'byConditions');
      await hands.type('column', 'userId');
      await hands.type('value', String(LONG));
      await write(hands);
      await reaches(hands, app, ['device-right']);
      await hands.visit(`/apps/${app.id}/devices/device-right`, new RegExp(`"userId": ${LONG}`));
    },
  },
];
