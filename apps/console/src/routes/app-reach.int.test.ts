import { consoleHarness } from '../testing/console-harness';

const { call } = consoleHarness();
const MI = { appId: '1', appSecret: 'sim-secret' };

async function anApp(): Promise<string> {
  const { body } = await call('POST', '/apps', { name: 'Reached', edition: 'commercial', hybrid: true });
  return String(body['id']);
}

const aRow = (i: number, fields: object) => ({
  ...{ objectId: `o${i}`, installationId: `i${i}`, deviceType: 'android' },
  ...fields,
});

describe('GET /apps/:id/reach', () => {
  describe('200', () => {
    it('tells by channel and profile whom a push reaches now, and why not the others', async () => {
      const app = await anApp();
      await call('PUT', `/apps/${app}/profiles/mi/_default`, MI);
      const mi = (i: number, deviceProfile?: string) =>
        aRow(i, { vendor: 'mi', registrationId: `r${i}`, ...(deviceProfile === undefined ? {} : { deviceProfile }) });
      const rows = [mi(1), mi(2), mi(3, 'game'), aRow(4, {}), aRow(5, { vendor: 'fcm', registrationId: 'f' })];
      await call('POST', `/apps/${app}/installations/import`, { rows });
      const { status, body } = await call('GET', `/apps/${app}/reach`);
      expect(status).toBe(200);
      expect(body).toEqual({
        hybrid: true,
        reachable: 3,
        results: expect.arrayContaining([
          { channel: 'mi', profile: '_default', count: 2 },
          { channel: 'mi', profile: '*', reason: 'profile-missing', count: 1 },
          { channel: 'own', count: 1 },
          { channel: 'unknown', reason: 'vendor-unknown', count: 1 },
        ]),
      });
      await call('PATCH', `/apps/${app}`, { hybrid: false });
      expect((await call('GET', `/apps/${app}/reach`)).body).toEqual({
        ...{ hybrid: false, reachable: 5 },
        results: [{ channel: 'own', count: 5 }],
      });
    });
  });

  describe('404', () => {
    it('is the answer for an app that does not exist', async () => {
      expect((await call('GET', '/apps/no-such-app/reach')).status).toBe(404);
    });
  });
});
