import { once } from 'node:events';
import { unique, until } from '@pushfleet/testing';
import { storeUnderTest } from '../testing/store-under-test';
import { underLease, type LeasedWork } from './under-lease';

const t = storeUnderTest();
const work = (name: string, changes: Partial<LeasedWork> = {}): LeasedWork => ({
  ...{ leases: t.store.leases, name, onError: (error: unknown) => Promise.reject(error) },
  ...changes,
});
const quietly = () => Promise.resolve();

it('one does the work, others are told so, and the next has it at once when it ends or fails', async () => {
  const name = unique('lease');
  const inside: boolean[] = [];
  const isDone = await underLease(work(name), async (lost) => {
    inside.push(lost.aborted, await underLease(work(name), () => Promise.reject(new Error('both at once'))));
  });
  expect([isDone, inside]).toEqual([true, [false, false]]);
  await expect(underLease(work(name), () => Promise.reject(new Error('it failed')))).rejects.toThrow('it failed');
  expect(await underLease(work(name), quietly)).toBe(true);
});

it('holds the lease for as long as the work takes', async () => {
  const name = unique('lease');
  await underLease(
    work(name),
    async () => {
      const key = t.keys.lease(name);
      await t.redis.pexpire(key, 60_000);
      const isRenewed = (leftMs: number): boolean => leftMs > 0 && leftMs <= 600;
      await until(async () => isRenewed(await t.redis.pttl(key)));
    },
    600,
  );
});

it('tells the work that its lease is another process’s, and leaves that one alone', async () => {
  const name = unique('lease');
  await underLease(
    work(name),
    async (lost) => {
      await t.redis.set(t.keys.lease(name), 'somebody else');
      if (!lost.aborted) await once(lost, 'abort');
    },
    300,
  );
  expect(await t.redis.get(t.keys.lease(name))).toBe('somebody else');
});

it('goes on when a renewal fails, and says so', async () => {
  const errors: unknown[] = [];
  let calls = 0;
  const leases = {
    ...t.store.leases,
    hold: (...args: Parameters<typeof t.store.leases.hold>) =>
      (calls += 1) === 2 ? Promise.reject(new Error('away')) : t.store.leases.hold(...args),
  };
  const onError = (error: unknown): void => void errors.push(error);
  await underLease(work(unique('lease'), { leases, onError }), () => until(() => calls > 3).then(() => undefined), 300);
  expect(errors).toEqual([new Error('away')]);
});
