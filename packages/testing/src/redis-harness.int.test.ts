import { connectTestRedis } from './connect-test-redis';
import { redisHarness } from './redis-harness';

const harness = redisHarness();

it('a namespace is used by nobody else', async () => {
  const redis = await harness.open();
  expect(await redis.set(`${harness.namespace}:key`, '1', 'NX')).toBe('OK');
  expect(await redis.set(`{${harness.namespace}:tagged}:key`, '1', 'NX')).toBe('OK');
});

it('connections bear the name of the file, so that one left open is found', async () => {
  const redis = await connectTestRedis(harness.url);
  const clients = String(await redis.client('LIST'));
  expect(clients).toContain(`name=${harness.namespace}`);
  redis.disconnect();
});
