import type { Action } from './hands';

const DEVICE = '/apps/{id}/installations/{installationId}';

export const DEVICE_ACTIONS: readonly Action[] = [
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
    ...{ name: 'retires a device, which is no target then, and removes it', who: 'operator' },
    calls: [`POST ${DEVICE}/retire`, `DELETE ${DEVICE}`],
    act: async (hands) => {
      const app = await hands.appWith(2);
      await hands.visit(`/apps/${app.id}/devices/device-1`, /hms\/_default/);
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
    },
  },
];
