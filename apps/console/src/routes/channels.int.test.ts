import { channelNames } from '@pushfleet/channels';
import { bulkQueue, openProducer } from '@pushfleet/queues';
import { consoleHarness } from '../testing/console-harness';

const admin = consoleHarness();

describe('GET /channels', () => {
  describe('200', () => {
    it('counts the jobs of each queue of each channel', async () => {
      const { redis, namespace } = admin;
      const location = { redis, namespace, queue: bulkQueue('mi'), onError: () => undefined };
      const producer = openProducer<object>(location);
      await producer.add([
        { id: 'now', data: {} },
        { id: 'later', data: {}, delayMs: 60_000 },
      ]);
      await producer.close();
      const { status, body } = await admin.call('GET', '/channels');
      const results = body['results'] as { channel: string }[];
      expect({ status, channels: results.map(({ channel }) => channel) }).toEqual({
        status: 200,
        channels: channelNames,
      });
      expect(results).toContainEqual({
        channel: 'mi',
        direct: { waiting: 0, active: 0, delayed: 0, prioritized: 0 },
        bulk: { waiting: 1, active: 0, delayed: 1, prioritized: 0 },
      });
    });
  });
});
