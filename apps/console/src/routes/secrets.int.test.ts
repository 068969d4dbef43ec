import { openStore } from '@pushfleet/store';
import { SECRET_KEY, until } from '@pushfleet/testing';
import { startReseal } from '../start-reseal';
import { consoleHarness } from '../testing/console-harness';

const admin = consoleHarness();
const { call } = admin;
const NEW = Buffer.alloc(32, 8).toString('base64');

describe('GET /secrets', () => {
  describe('200', () => {
    it('counts what is sealed, by kind and key', async () => {
      await call('POST', '/apps', { name: 'Test', edition: 'developer' });
      const { status, body } = await call('GET', '/secrets');
      expect({ status, body }).toMatchObject({ status: 200, body: { phase: 'required', stale: 0, unreadable: 0 } });
      expect(body['counts']).toContainEqual({
        ...{ kind: 'app-key', keyId: body['keyId'], key: 'current', isBound: true },
        count: 2,
      });
      expect(JSON.stringify(body)).not.toContain(SECRET_KEY);
    });

    it('tells the progress alone, without a look at every secret', async () => {
      const { body } = await call('GET', '/secrets?progress=1');
      expect(Object.keys(body).sort()).toEqual(['keyId', 'phase', 'writes']);
    });
  });

  describe('401', () => {
    it('is the answer without the token', async () => {
      expect(await admin.raw('/api/v1/secrets')).toMatchObject({ status: 401 });
    });
  });
});

describe('POST /secrets', () => {
  describe('202', () => {
    it('has a console seal everything anew, and tells how far it is', async () => {
      const { body } = await call('POST', '/secrets', {});
      expect(body).toMatchObject({ reseal: { done: 0, startedAt: expect.any(String) } });
      const stopping = new AbortController();
      const { sealing, leases } = admin.store;
      const consoles = [1, 2].map(() =>
        startReseal({ sealing, leases, stopping: stopping.signal, log: { info: () => undefined, error: fail } }),
      );
      const last = await until(async () => (await call('GET', '/secrets?progress=1')).body['last'], {
        timeoutMs: 20_000,
      });
      expect(last).toMatchObject({ unreadable: 0, endedAt: expect.any(String) });
      stopping.abort();
      await Promise.all(consoles.map((each) => each.stop()));
    });
  });

  describe('409', () => {
    it('is the answer while a living process has another key, and nothing begins', async () => {
      const { redis, namespace } = admin;
      const keys = { secretKey: NEW, previousSecretKey: SECRET_KEY };
      const { processes } = openStore({ redis, namespace, ...keys, vendors: new Map() });
      const other = { id: 'host-7-b', role: 'channel-worker', labels: { channel: 'hms' }, version: '1.2.3', since: 1 };
      const { body: before } = await call('GET', '/secrets?progress=1');
      await processes.beat(other);
      const { status, body } = await call('POST', '/secrets', {});
      expect({ status, body }).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining('channel-worker hms host-7-b') },
      });
      expect((await call('GET', '/secrets?progress=1')).body).toEqual(before);
      await processes.leave(other.id);
      expect(await call('POST', '/secrets', {})).toMatchObject({ status: 202 });
    });
  });

  it('with another key leaves a console that cannot open anything, which its doctor says', async () => {
    const { redis, namespace } = admin;
    await call('POST', '/apps', { name: 'Test', edition: 'developer' });
    const rotated = openStore({ redis, namespace, secretKey: NEW, previousSecretKey: SECRET_KEY, vendors: new Map() });
    expect(await rotated.sealing.status()).toMatchObject({ unreadable: 0 });
    await rotated.sealing.beginReseal();
    await rotated.sealing.reseal(new AbortController().signal);
    const { body } = await call('GET', '/doctor');
    expect(body['checks']).toContainEqual({
      ...{ check: 'secret-key', subject: '', status: 'problem', finding: 'opens nothing that the fleet seals' },
      advice: expect.stringContaining('SECRET_KEY of the other processes'),
    });
  });
});

const fail = (error: unknown): never => {
  throw error;
};
