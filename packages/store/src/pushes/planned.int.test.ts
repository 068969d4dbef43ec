import { unique } from '@pushfleet/testing';
import { Cluster } from 'ioredis';
import { planDirect } from './plan-direct';
import type { NewPush } from './new-push';
import { shardOfPush } from './keys';
import { acceptOne, aPush } from '../testing/a-push';
import { storeUnderTest } from '../testing/store-under-test';
import { Books } from './books';

const t = storeUnderTest();

const planOf = (...objectIds: readonly string[]): NewPush['plan'] =>
  planDirect(
    () => ({ channel: 'hms', profile: '_default' }),
    objectIds.map((objectId) => ({
      bucket: 'hms/_default',
      installation: { objectId, registrationId: `r-${objectId}` },
    })),
  );

describe('a push that was planned when it came', () => {
  it('is dispatched, open and listed with its record', async () => {
    const pushId = await acceptOne(t, { plan: planOf('a', 'b') });
    const found = await t.store.pushes.withPage(pushId, 1);
    expect(found?.push).toMatchObject({ isDispatched: true, isCancelled: false });
    expect(found?.page).toMatchObject({
      channel: 'hms',
      direct: true,
      devices: [
        ['a', 'r-a'],
        ['b', 'r-b'],
      ],
    });
    expect(await t.store.pushes.read(pushId)).toMatchObject({
      status: 'in-queue',
      channels: { hms: { expected: 2, matched: 2, outstanding: 2 } },
    });
    expect(await t.store.pushes.open(shardOfPush(pushId), t.clock.now(), 1000)).toContain(pushId);
    expect((await t.store.pushes.list(t.app, { limit: 10, skip: 0 })).map(({ objectId }) => objectId)).toContain(
      pushId,
    );
  });

  it('is read with its page by whoever looks for it while it is written', async () => {
    const pushId = await acceptOne(t, { plan: planOf('a') });
    const names = [t.keys.pushRecord(pushId), t.keys.ledger(pushId)];
    for (const name of names) await t.redis.rename(name, `${name}:aside`);
    const hgetall = t.redis.hgetall.bind(t.redis);
    const unpacking = jest.spyOn(t.redis, 'hgetall').mockImplementationOnce(async (name) => {
      for (const aside of names) await t.redis.rename(`${aside}:aside`, aside);
      return hgetall(name);
    });
    const found = await t.store.pushes.withPage(pushId, 1);
    expect(unpacking).toHaveBeenCalledTimes(1);
    unpacking.mockRestore();
    expect([found?.push.isDispatched, found?.page?.devices]).toEqual([true, [['a', 'r-a']]]);
  });

  it('is planned once: a dispatcher that comes late changes nothing', async () => {
    const pushId = await acceptOne(t, { plan: planOf('a') });
    const before = await t.store.pushes.read(pushId);
    const again = { pushId, lanes: [], ...(planOf('a', 'b') as NonNullable<NewPush['plan']>), now: t.clock.now() };
    expect(await t.store.ledger.plan(again)).toBe(false);
    expect(await t.store.pushes.read(pushId)).toEqual(before);
    expect((await t.store.ledger.openParts(pushId)).pages).toHaveLength(1);
  });

  it('closes with its last page, and its devices stand in the totals once', async () => {
    const matched = async () =>
      (await t.store.deviceTotals()).find(({ channel, value }) => channel === 'hms' && value === 'matched')?.count ?? 0;
    const before = await matched();
    const pushId = await acceptOne(t, { plan: planOf('a') });
    const books = new Books('hms');
    books.accept(1);
    books.add('outstanding', -1);
    const fold = { pushId, part: { page: 1 }, books, now: t.clock.now() };
    expect((await t.store.ledger.fold(fold)).state).toBe('folded');
    expect((await t.store.ledger.fold(fold)).state).toBe('stale');
    const { status, channels } = (await t.store.pushes.read(pushId)) ?? {};
    expect({ status, channels }).toMatchObject({ status: 'done', channels: { hms: { accepted: 1, outstanding: 0 } } });
    expect(await matched()).toBe(before + 1);
  });

  it('waits for its dispatcher if it may turn out to be an earlier one, or is for later', async () => {
    const later = t.clock.now() + 60_000;
    for (const changes of [{ reqId: 'once' }, { isScheduled: true, pushTime: later }]) {
      const pushId = await acceptOne(t, { ...changes, plan: planOf('a') });
      expect(await t.store.pushes.toSend(pushId)).toMatchObject({ isDispatched: false });
      expect((await t.store.ledger.openParts(pushId)).pages).toEqual([]);
    }
  });

  it('is not sent from a cluster that cannot list the pushes of one of the apps', async () => {
    const app = unique('unlisted');
    await t.redis.set(t.keys.pushesOf(app), 'no list');
    const onNamed = jest.fn();
    const both = [{}, { app }].map((changes) => aPush(t, { ...changes, plan: planOf('a') }));
    await expect(t.store.acceptPushes(both, onNamed)).rejects.toThrow('WRONGTYPE');
    // A single Redis is there for everything or for nothing, and is asked for everything at once.
    expect(onNamed).toHaveBeenCalledTimes(t.redis instanceof Cluster ? 0 : 1);
  });
});
