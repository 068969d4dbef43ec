import { consoleHarness } from '../testing/console-harness';

const admin = consoleHarness();
const SINCE = '2030-01-02T03:04:05.678Z';

describe('GET /processes', () => {
  describe('200', () => {
    it('lists the living processes with what they tell of themselves', async () => {
      const since = Date.parse(SINCE);
      const worker = { id: 'host-2-b', role: 'channel-worker', labels: { channel: 'hms' }, version: '1.2.3', since };
      await admin.store.processes.beat(worker);
      await admin.store.processes.beat({ id: 'host-1-a', role: 'ingress', labels: {}, version: '1.2.3', since });
      const { status, body } = await admin.call('GET', '/processes');
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          results: [
            {
              ...{ id: 'host-2-b', role: 'channel-worker', channel: 'hms', version: '1.2.3', since: SINCE },
              format: 2,
              keyId: expect.stringMatching(/^[\w-]{6}$/),
            },
            { id: 'host-1-a', role: 'ingress', version: '1.2.3', since: SINCE, format: 2, keyId: expect.any(String) },
          ],
        },
      });
      await admin.store.processes.leave('host-2-b');
      expect((await admin.call('GET', '/processes')).body['results']).toHaveLength(1);
    });
  });

  describe('401', () => {
    it('is the answer without the admin token', async () => {
      expect((await admin.raw('/api/v1/processes')).status).toBe(401);
    });
  });
});
