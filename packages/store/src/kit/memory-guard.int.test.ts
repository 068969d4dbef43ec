import { mastersOf, until } from '@pushfleet/testing';
import { openMemoryGuard } from './memory-guard';
import { RedisFull } from './redis-away';
import { openRedis } from './redis';
import { ownRedis } from '../testing/own-redis';

const own = ownRedis();
afterEach(() => onEveryMaster('maxmemory', '0'));

const onEveryMaster = async (name: string, value: string): Promise<void> =>
  void (await Promise.all(mastersOf(own.redis).map((master) => master.config('SET', name, value))));

/** Sets the limit of one master so that this share of it is in use. */
async function fill(share: number): Promise<void> {
  const [master] = mastersOf(own.redis);
  const used = Number(/used_memory:(\d+)/.exec((await master?.info('memory')) ?? '')?.[1]);
  await master?.config('SET', 'maxmemory', String(Math.round(used / share)));
}

test.each([
  [0.6, 'nothing', []],
  [0.72, 'outcomes', ['outcomes']],
  [0.77, 'reports of vendors, too,', ['outcomes', 'receipts']],
  [0.825, 'imports and mailboxes, too,', ['outcomes', 'receipts', 'bulk']],
  [0.95, 'all', ['outcomes', 'receipts', 'bulk', 'request']],
] as const)('at %d of its memory %s stop', async (share, _what, refused) => {
  await fill(share);
  const stopped = [];
  for (const use of ['outcomes', 'receipts', 'bulk', 'request'] as const) {
    const guard = openMemoryGuard({ redis: own.redis, now: Date.now });
    const error: unknown = await guard.requireRoom(use).catch((reason: unknown) => reason);
    if (error instanceof RedisFull) stopped.push(use);
    else expect(error).toBeUndefined();
  }
  expect(stopped).toEqual(refused);
});

test('room that came back is seen within a second, and nobody waits for the reading', async () => {
  let now = 0;
  const guard = openMemoryGuard({ redis: own.redis, now: () => now });
  await fill(0.95);
  await expect(guard.requireRoom('request')).rejects.toThrow('nearly full');
  await onEveryMaster('maxmemory', '0');
  now = 1000;
  await expect(guard.requireRoom('request')).rejects.toThrow(RedisFull);
  await until(() => guard.requireRoom('request').then(() => true));
});

test('after a pause nobody goes by what was read before it', async () => {
  let now = 0;
  const guard = openMemoryGuard({ redis: own.redis, now: () => now });
  await fill(0.5);
  await guard.requireRoom('request');
  await fill(0.95);
  now = 3000;
  const together = ['first', 'second'].map(() => guard.requireRoom('request'));
  for (const refused of await Promise.allSettled(together)) expect(refused.status).toBe('rejected');
  await onEveryMaster('maxmemory', '0');
  now = 6000;
  await guard.requireRoom('request');
});

test('when the clock is set back nobody goes by what was read before', async () => {
  let now = 3_600_000;
  const guard = openMemoryGuard({ redis: own.redis, now: () => now });
  await fill(0.5);
  await guard.requireRoom('request');
  await fill(0.95);
  now = 0;
  await expect(guard.requireRoom('request')).rejects.toThrow(RedisFull);
});

test('a Redis that says nothing after a pause is taken as it was, and soon', async () => {
  let now = 0;
  const guard = openMemoryGuard({ redis: own.redis, now: () => now });
  await fill(0.5);
  await guard.requireRoom('request');
  now = 3000;
  own.server.hang();
  const begun = performance.now();
  await guard.requireRoom('request').finally(() => own.server.goOn());
  expect(performance.now() - begun).toBeLessThan(2000);
});

test('a Redis that would evict is refused, and one without a limit where one must be', async () => {
  const told = { code: 'config-invalid', lines: [expect.stringMatching(/^REDIS_URL: Redis at 127\.0\.0\.1:\d+ /)] };
  const open = (mustHaveLimit: boolean) =>
    openRedis({ url: own.server.url, patience: 'fail-fast', onError: () => undefined, mustHaveLimit });
  await expect(open(true)).rejects.toThrow('no maxmemory');
  await expect(open(true)).rejects.toMatchObject(told);
  await onEveryMaster('maxmemory-policy', 'allkeys-lru');
  await expect(open(false)).rejects.toThrow('maxmemory-policy is allkeys-lru');
  await expect(open(false)).rejects.toMatchObject(told);
  await onEveryMaster('maxmemory-policy', 'noeviction');
});
