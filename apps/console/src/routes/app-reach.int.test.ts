import { unique } from '@pushfleet/testing';
import { consoleHarness } from '../testing/console-harness';

const admin = consoleHarness();
const { call } = admin;
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

describe('GET /apps/:id/audience', () => {
  it('tells slice by slice what the devices are, until all were looked at', async () => {
    const app = await anApp();
    await call('PUT', `/apps/${app}/profiles/mi/_default`, MI);
    const day = 86_400_000;
    const seen = (days: number) => new Date(Date.now() - days * day).toISOString();
    const row = (i: number, days: number, more: object) =>
      aRow(i, { vendor: 'mi', registrationId: `r${i}`, createdAt: seen(days), updatedAt: seen(days), ...more });
    const some = Array.from({ length: 2000 }, (_, i) => row(i + 10, 3, { appVersion: '1.1' }));
    const few = [row(1, 0, { appVersion: 2 }), row(2, 40, { deviceProfile: 'game' }), row(3, 120, {})];
    for (const rows of [some.slice(0, 1000), some.slice(1000), few])
      expect((await call('POST', `/apps/${app}/installations/import`, { rows })).body).toMatchObject({ bad: [] });

    const first = (await call('GET', `/apps/${app}/audience`)).body;
    expect(first).toMatchObject({ lookedAt: 2000, total: 2003, cursor: expect.any(String) });
    const second = (await call('GET', `/apps/${app}/audience?cursor=${String(first['cursor'])}`)).body;
    expect(second).toMatchObject({ lookedAt: 3 });
    expect(second).not.toHaveProperty('cursor');
    const both = (field: string, name: string) =>
      [first, second].reduce((sum, slice) => sum + ((slice[field] as Record<string, number>)[name] ?? 0), 0);
    expect([both('values', '1.1'), both('values', '2'), both('values', 'none')]).toEqual([2000, 1, 2]);
    expect([both('profiles', '_default'), both('profiles', 'game')]).toEqual([2002, 1]);
    expect(['1', '7', '30', '90', 'older'].map((days) => both('seen', days))).toEqual([1, 2000, 0, 1, 1]);
    const groups = [first, second].flatMap((slice) => slice['reach'] as { reason?: string; count: number }[]);
    const countOf = (wanted?: string) =>
      groups.filter(({ reason }) => reason === wanted).reduce((sum, { count }) => sum + count, 0);
    expect([countOf(), countOf('profile-missing'), countOf('stale')]).toEqual([2001, 1, 1]);
  });

  it('counts integers of any size, alone and in lists', async () => {
    const app = await anApp();
    const big = 12_345_678_901_234_567_890n;
    for (const appVersion of [big, [big], { build: big }]) {
      const body = { deviceType: 'android', installationId: unique('i'), appVersion };
      await admin.store.installations.save({ app, body, now: Date.now() });
    }
    const { status, body } = await call('GET', `/apps/${app}/audience`);
    expect(status).toBe(200);
    const digits = String(big);
    expect(body['values']).toEqual({ [digits]: 1, [`[${digits}]`]: 1, [`{"build":${digits}}`]: 1 });
  });

  it.each([['column=a%20b'], ['column=_private'], ['cursor=a/b'], ['limit=5']])('400 for %s', async (query) => {
    expect((await call('GET', `/apps/${await anApp()}/audience?${query}`)).status).toBe(400);
  });
});
