import { audienceOf, type JsonObject } from '@pushfleet/domain';
import { Books } from '@pushfleet/store';
import { anInstallation, unique } from '@pushfleet/testing';
import { consoleHarness } from '../testing/console-harness';

const admin = consoleHarness();
const { call } = admin;

async function anApp(settings: object = {}): Promise<string> {
  const { body } = await call('POST', '/apps', { name: 'Test', edition: 'commercial', ...settings });
  return String(body['id']);
}

interface SeededPush {
  readonly app: string;
  readonly where?: JsonObject;
  readonly notificationId?: string;
  readonly isToDevices?: true;
  readonly books?: readonly Books[];
  readonly at?: number;
}

const AT = Date.parse('2030-01-02T03:04:05.678Z');

async function aPush({ app, where = {}, books = [], at = AT, ...changes }: SeededPush): Promise<string> {
  const [accepted] = await admin.store.acceptPushes([
    {
      app,
      content: { data: { alert: 'Hi' }, sections: {} },
      audience: audienceOf(where, undefined),
      where,
      prod: 'prod',
      pushTime: at,
      expiresAt: at + 60_000,
      isScheduled: false,
      ...changes,
    },
  ]);
  const pushId = accepted?.pushId ?? '';
  await admin.store.pushes.index(app, [{ pushId, createdAt: at }]);
  await admin.store.ledger.plan({ pushId, lanes: [], pages: [], books, now: at });
  return pushId;
}

function booksOf(channel: string, accepted: number, refused: readonly string[]): Books {
  const books = new Books(channel);
  books.add('expected', accepted + refused.length);
  books.add('matched', accepted + refused.length);
  books.accept(accepted);
  const words = { vendorCode: '20301', vendorMessage: 'no such device' };
  for (const objectId of refused) books.refuseDevice('discarded', 'registration-gone', { objectId, ...words });
  return books;
}

async function anInstallationOf(app: string): Promise<{ objectId: string; installationId: string }> {
  const body = anInstallation({ vendor: 'mi' });
  const saved = await admin.store.installations.save({ app, body, now: AT });
  return { objectId: saved?.installation.objectId ?? '', installationId: String(body['installationId']) };
}

describe('GET /apps/:id/pushes', () => {
  describe('200', () => {
    it('lists the newest first, by limit and skip', async () => {
      const app = await anApp();
      const ids: string[] = [];
      for (let i = 0; i < 4; i += 1) ids.unshift(await aPush({ app, at: AT + i }));
      const idsOf = async (query: string) => {
        const { body } = await call('GET', `/apps/${app}/pushes${query}`);
        return (body['results'] as { objectId: string }[]).map(({ objectId }) => objectId);
      };
      expect(await idsOf('')).toEqual(ids);
      expect(await idsOf('?limit=2')).toEqual(ids.slice(0, 2));
      expect(await idsOf('?limit=2&skip=3')).toEqual(ids.slice(3));
    });

    it('shows no push of another app', async () => {
      await aPush({ app: await anApp() });
      expect((await call('GET', `/apps/${await anApp()}/pushes`)).body).toEqual({ results: [], lookedAt: 0 });
    });
  });

  describe('400', () => {
    it.each(['limit=0', 'limit=101', 'limit=x', 'skip=-1', 'limit=1&limit=2', 'order=asc'])(
      'refuses %s',
      async (query) => {
        const answer = await call('GET', `/apps/${await anApp()}/pushes?${query}`);
        expect(answer).toMatchObject({ status: 400, body: { details: [{ path: query.split('=')[0] }] } });
      },
    );
  });
});

describe('GET /apps/:id/pushes/:pushId', () => {
  describe('200', () => {
    it('says when the condition does not tell whom it was for', async () => {
      const app = await anApp();
      const [common, everybody] = [
        await aPush({ app, where: { deviceType: 'android' }, isToDevices: true }),
        await aPush({ app }),
      ];
      expect((await call('GET', `/apps/${app}/pushes/${common}`)).body).toMatchObject({ named: true });
      expect((await call('GET', `/apps/${app}/pushes/${everybody}`)).body).not.toHaveProperty('named');
    });

    it('shows the record with the names of the 1.1 API, the books and the errors', async () => {
      const app = await anApp();
      const pushId = await aPush({ app, books: [booksOf('mi', 3, ['device-1', 'device-2'])] });
      const { status, body } = await call('GET', `/apps/${app}/pushes/${pushId}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        ...{ objectId: pushId, notificationId: pushId, status: 'done', prod: 'prod', msg: { alert: 'Hi' }, where: {} },
        ...{ devices: 5, successes: 3, miSuccesses: 3, lcSuccesses: 0, invalidTokens: 0 },
        ...{ 'push-time': new Date(AT).toISOString(), 'from-service': 'push' },
        channels: {
          mi: {
            ...{ expected: 5, matched: 5, accepted: 3, delivered: 0, lapsed: 0, clicked: 0, truncated: 0 },
            ...{ discarded: { 'registration-gone': 2 }, failed: {}, outstanding: 0 },
          },
        },
        errors: [
          {
            ...{ channel: 'mi', reason: 'registration-gone', count: 2, action: 'drop-registration' },
            ...{ vendorCode: '20301', vendorMessage: 'no such device', samples: ['device-1', 'device-2'] },
          },
        ],
      });
    });

    it('sums up the pushes that share a notification id', async () => {
      const app = await anApp();
      const notificationId = unique('n').slice(0, 16);
      await aPush({ app, notificationId, books: [booksOf('mi', 1, [])] });
      await aPush({ app, notificationId, books: [booksOf('mi', 2, ['device-1'])] });
      const { body } = await call('GET', `/apps/${app}/pushes/${notificationId}`);
      expect(body).toMatchObject({ notificationId, devices: 4, successes: 3, channels: { mi: { matched: 4 } } });
    });

    it("tells the vendor's verdict on an installation, by either of its ids", async () => {
      const app = await anApp();
      const { objectId, installationId } = await anInstallationOf(app);
      const pushId = await aPush({ app, books: [booksOf('mi', 1, [objectId])] });
      for (const id of [objectId, installationId]) {
        const { body } = await call('GET', `/apps/${app}/pushes/${pushId}?installationId=${id}`);
        expect(body['installation']).toEqual({
          ...{ objectId, installationId, channel: 'mi', outcome: 'discarded', reason: 'registration-gone' },
          ...{ vendorCode: '20301', vendorMessage: 'no such device', action: 'drop-registration' },
        });
      }
    });

    it('still tells the verdict on an installation that was deleted since', async () => {
      const app = await anApp();
      const pushId = await aPush({ app, books: [booksOf('mi', 0, ['deleted-device'])] });
      const { body } = await call('GET', `/apps/${app}/pushes/${pushId}?installationId=deleted-device`);
      expect(body['installation']).toMatchObject({ objectId: 'deleted-device', outcome: 'discarded' });
    });

    it('says that an installation is not in the audience', async () => {
      const app = await anApp();
      const { objectId } = await anInstallationOf(app);
      const pushId = await aPush({ app, where: { deviceType: 'web' }, books: [booksOf('own', 1, [])] });
      const { body } = await call('GET', `/apps/${app}/pushes/${pushId}?installationId=${objectId}`);
      expect(body['installation']).toMatchObject({ objectId, outcome: 'not-matched' });
    });

    it('says that an installation was accepted when all refusals are named, and it is none of them', async () => {
      const app = await anApp();
      const { objectId } = await anInstallationOf(app);
      const pushId = await aPush({ app, books: [booksOf('own', 1, ['device-1'])] });
      const { body } = await call('GET', `/apps/${app}/pushes/${pushId}?installationId=${objectId}`);
      expect(body['installation']).toMatchObject({ objectId, outcome: 'accepted', channel: 'own' });
    });
  });

  describe('400', () => {
    it('is the answer to an unknown parameter', async () => {
      const app = await anApp();
      const pushId = await aPush({ app });
      expect((await call('GET', `/apps/${app}/pushes/${pushId}?installation=x`)).status).toBe(400);
    });
  });

  describe('404', () => {
    it('is the answer for an unknown push and for one of another app', async () => {
      const app = await anApp();
      const other = await aPush({ app: await anApp() });
      expect((await call('GET', `/apps/${app}/pushes/unknown`)).status).toBe(404);
      expect((await call('GET', `/apps/${app}/pushes/${other}`)).status).toBe(404);
    });

    it('is the answer for an installation that nobody knows', async () => {
      const app = await anApp();
      const pushId = await aPush({ app });
      const answer = await call('GET', `/apps/${app}/pushes/${pushId}?installationId=nobody`);
      expect(answer).toMatchObject({ status: 404, body: { error: expect.stringContaining('installation') } });
    });
  });
});
