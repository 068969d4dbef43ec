import { hash } from 'node:crypto';
import { unique } from '@pushfleet/testing';
import { storeUnderTest } from '../testing/store-under-test';

const under = storeUnderTest();

it('counts anew within a minute when the clock of Redis is set back', async () => {
  const who = unique('address');
  const add = () => under.store.failures.add('address', who, 60_000);
  expect(await add()).toMatchObject({ failures: 1 });
  await under.redis.pexpire(
    under.keys.failures(hash('sha256', JSON.stringify(['address', who]), 'base64url')),
    3_600_000,
  );
  const { failures, resetInMs } = await add();
  expect(failures).toBe(2);
  expect(resetInMs).toBeLessThanOrEqual(60_000);
});
