import { LIMITS } from '@pushfleet/domain';
import { listGonePushes } from '../../devices';
import type { Action } from './hands';

const DEVICE = '/apps/{id}/installations/{installationId}';

/** What the page looks at before it says so and waits. */
const LOOKED_AT = 5 * LIMITS.pushesLookedAt.value;

export const DEVICE_ACTIONS: readonly Action[] = [
  {
    ...{
      name: 'finds devices by what they have, and reads at the field what is wrong with a condition',
      who: 'viewer',
    },
    calls: [],
    act: async (hands) => {
      const app = await hands.appWith(3);
      await hands.register(app, 'device-old', { appVersion: '0.9' });
      await hands.visit(`/apps/${app.id}/devices`, /^android$/);
      const found = hands.page.getByRole('region', { name: hands.word('devices'), exact: true }).getByRole('link');
      const looked = `${hands.word('lookedAt')}: 4 / 4 ${hands.word('devicesOf')}`;
      await hands.type('column', 'appVersion');
      await hands.type('value', '"0.9"');
      await hands.button('search').click();
      await hands.page.getByText(looked, { exact: true }).waitFor();
      expect(await found.count()).toBe(1);
      await hands.choose('findBy', 'byWhere');
      await hands.refuses('search', ['whereJson', '{"appVersion":{"$near":1}}']);
      await hands.type('whereJson', '{"appVersion":"1.0"}');
      await hands.button('search').click();
      await hands.page.getByText(hands.word('noSuchDevices')).waitFor();
      await hands.button('showAll').click();
      await found.nth(3).waitFor();
    },
  },
  {
    ...{ name: 'is told how far a search of pushes looked, and goes on', who: 'viewer' },
    calls: [],
    act: async (hands) => {
      const app = await hands.appWith(1);
      const pushId = await hands.push(app);
      await hands.accepted(app, pushId);
      await listGonePushes(hands.fleet, app, LOOKED_AT);
      await hands.visit(`/apps/${app.id}/pushes?search=hello`, new RegExp(hands.word('noneSoFar')));
      await hands.page.getByText(`${hands.word('lookedAt')}: ${LOOKED_AT} ${hands.word('pushesLookedAt')}`).waitFor();
      await hands.button('goOn').click();
      await hands.page.locator(`a[href$="${pushId}"]`).waitFor();
      await hands.page.getByText(hands.word('noneSoFar')).waitFor({ state: 'detached' });
    },
  },
  {
    ...{ name: 'sends a push to the device that is looked at', who: 'sender' },
    calls: ['POST /apps/{id}/pushes/preflight', 'POST /apps/{id}/pushes'],
    act: async (hands) => {
      const app = await hands.appWith(2);
      await hands.visit(`/apps/${app.id}/devices`, /^android$/);
      await hands.type('deviceId', 'device-1');
      await hands.button('look').click();
      await hands.page.getByRole('link', { name: hands.word('sendHere'), exact: true }).click();
      await hands.type('text', 'to you alone');
      const pushId = await hands.sendTo(1);
      expect(await hands.accepted(app, pushId)).toBe(1);
      await hands.visit(`/apps/${app.id}/devices/device-1`, /hms\/_default/);
      const last = hands.page.getByRole('region', { name: hands.word('lastPushes'), exact: true });
      await last.first().locator(`a[href$="${pushId}"]`).waitFor();
    },
  },
  {
    ...{ name: 'sends a push to a device of the list, whatever its app calls it', who: 'sender' },
    calls: ['POST /apps/{id}/pushes/preflight', 'POST /apps/{id}/pushes'],
    act: async (hands) => {
      const app = await hands.appWith(1);
      await hands.register(app, 'one, two', { registrationId: `alive-${app.id}-two` });
      const { results } = await hands.fleet.callAsServer<{ results: { objectId: string; installationId: string }[] }>(
        ...([app, ['GET', '/installations']] as const),
      );
      const { objectId = '' } = results.find(({ installationId }) => installationId === 'one, two') ?? {};
      await hands.visit(`/apps/${app.id}/devices`, /^android$/);
      await hands.page.getByRole('link', { name: objectId, exact: true }).click();
      await hands.page.getByRole('link', { name: hands.word('sendHere'), exact: true }).click();
      await hands.type('text', 'to you alone');
      expect(await hands.field('ids').inputValue()).toBe(objectId);
      const pushId = await hands.sendTo(1);
      expect(await hands.accepted(app, pushId)).toBe(1);
    },
  },
  {
    ...{ name: 'retires a device, which is no target then, and removes it', who: 'operator' },
    calls: [`POST ${DEVICE}/retire`, `DELETE ${DEVICE}`],
    act: async (hands) => {
      const app = await hands.appWith(2);
      const asked: string[] = [];
      hands.page.on('request', (request) => {
        if (request.method() !== 'GET') asked.push(new URL(request.url()).pathname);
      });
      await hands.visit(`/apps/${app.id}/devices/device-1`, /hms\/_default/);
      const [, objectId = ''] = /"objectId": "(.+?)"/.exec(await hands.page.innerText('body')) ?? [];
      await hands.confirm('retire');
      await hands.page.getByText(hands.word('retired')).waitFor();
      expect(await hands.accepted(app, await hands.push(app))).toBe(1);
      await hands.confirm('remove');
      await hands.page.getByRole('heading', { level: 1, name: hands.word('devices'), exact: true }).waitFor();
      await hands.page.getByText('android', { exact: true }).waitFor();
      const { results } = await hands.fleet.callAsServer<{ results: { installationId: string }[] }>(
        ...([app, ['GET', '/installations']] as const),
      );
      expect(results.map(({ installationId }) => installationId)).toEqual(['device-0']);
      // The device that was looked at, whatever else is called so by now.
      expect(asked.map((path) => path.split('/installations/')[1])).toEqual([
        ...[`${objectId}/retire`, `${objectId}/retire`, objectId, objectId],
      ]);
    },
  },
];
