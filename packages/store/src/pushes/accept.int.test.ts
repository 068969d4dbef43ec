import { DAY_MS, LIMITS } from '@pushfleet/domain';
import { unique } from '@pushfleet/testing';
import { shardOfPush } from './keys';
import { aPush } from '../testing/a-push';
import { storeUnderTest } from '../testing/store-under-test';
import type { AcceptedPush, OnNamed } from './accept';
import type { NewPush } from './new-push';

const t = storeUnderTest();
const accept = (...pushes: Partial<NewPush>[]) => t.store.acceptPushes(pushes.map((changes) => aPush(t, changes)));
const acceptOne = async (changes: Partial<NewPush> = {}) => (await accept(changes))[0] as AcceptedPush;
/** Of records, unless the setting says otherwise. */
const RETENTION_MS = 7 * DAY_MS;
const reqId = () => unique('q').slice(0, 16);

describe('an accepted push', () => {
  it('stands in the record, ready to be sent and to be read', async () => {
    const content = { data: { alert: 'hi' }, sections: { hms: { category: 'IM' } }, notificationChannel: 'n' };
    const audience = { subscriptions: ['a'], predicate: { x: 1 } };
    const where = { channels: 'a', x: 1 };
    const given = {
      content,
      audience,
      where,
      prod: 'dev',
      flowControl: 2000,
      overBudget: 'discard',
      notificationId: 'mine',
    } as const;
    const { pushId, createdAt, needsJob } = await acceptOne(given);
    expect(pushId).toMatch(/^[0-9a-z]{16}$/);
    expect([createdAt, needsJob]).toEqual([t.clock.now(), true]);
    const times = { createdAt, pushTime: createdAt, expiresAt: createdAt + 3_600_000 };
    expect(await t.store.pushes.toSend(pushId)).toEqual({
      ...{
        pushId,
        app: t.app,
        content,
        audience,
        flowControl: 2000,
        overBudget: 'discard',
        isDispatched: false,
        isCancelled: false,
      },
      ...times,
    });
    expect(await t.store.pushes.read(pushId)).toEqual({
      ...{ objectId: pushId, app: t.app, notificationId: 'mine', status: 'in-queue', prod: 'dev', where },
      ...{ msg: { alert: 'hi', hms: { category: 'IM' } }, channels: {}, errors: [], updatedAt: createdAt },
      ...times,
    });
  });

  it('that is scheduled says so', async () => {
    const { pushId } = await acceptOne({ isScheduled: true, pushTime: t.clock.now() + 600_000 });
    expect(await t.store.pushes.read(pushId)).toMatchObject({ status: 'scheduled', notificationId: pushId });
  });

  it('is open from the first moment, so that a lost job is found', async () => {
    const { pushId } = await acceptOne();
    const open = await t.store.pushes.open(shardOfPush(pushId), t.clock.now(), 1000);
    expect(open).toContain(pushId);
    await t.store.pushes.touch(pushId, t.clock.now() + 5);
    expect(await t.store.pushes.open(shardOfPush(pushId), t.clock.now() + 4, 1000)).not.toContain(pushId);
    await t.store.pushes.touch('00000000000000ff', t.clock.now());
    expect(await t.store.pushes.open(255, Infinity, 1000)).not.toContain('00000000000000ff');
  });

  it('unknown ids are unknown', async () => {
    expect(await t.store.pushes.read('0000000000000000')).toBeUndefined();
    expect(await t.store.pushes.toSend('0000000000000000')).toBeUndefined();
  });
});

describe('a repeated req_id', () => {
  it('gets the first answer, whatever the body, and a job as long as the push waits', async () => {
    const id = reqId();
    const first = await acceptOne({ reqId: id });
    t.clock.advance(1000);
    const again = await acceptOne({ reqId: id, content: { data: { alert: 'other' }, sections: {} } });
    expect(again).toEqual({ ...first, needsJob: true });
    expect(await t.store.pushes.read(first.pushId)).toMatchObject({ msg: { alert: 'hi' } });

    await t.store.ledger.plan({ pushId: first.pushId, lanes: [], pages: [], books: [], now: t.clock.now() });
    expect(await acceptOne({ reqId: id })).toEqual({ ...first, needsJob: false });
  });

  it('of a push that was cancelled says so, whether or not it was dispatched', async () => {
    for (const isDispatched of [false, true]) {
      const id = reqId();
      const first = await acceptOne({ reqId: id });
      const work = { pushId: first.pushId, lanes: [], pages: [], books: [], now: t.clock.now() };
      if (isDispatched) await t.store.ledger.plan(work);
      await t.store.pushes.cancel(first.pushId, t.clock.now());
      expect(await acceptOne({ reqId: id })).toEqual({ ...first, needsJob: false, isCancelled: true });
    }
  });

  it('at the same time and in one commit is one push', async () => {
    const id = reqId();
    const commits = Array.from({ length: 8 }, () => accept({ reqId: id }, { reqId: id }));
    const answers = (await Promise.all(commits)).flat();
    expect(new Set(answers.map(({ pushId }) => pushId)).size).toBe(1);
  });

  it('of another app is another push', async () => {
    const id = reqId();
    const mine = await acceptOne({ reqId: id });
    expect((await acceptOne({ reqId: id, app: `${t.app}other` })).pushId).not.toBe(mine.pushId);
  });

  it('is remembered for five minutes', async () => {
    const id = reqId();
    await acceptOne({ reqId: id });
    const life = await t.redis.pttl(t.keys.requestClaim(t.app, id));
    expect(life).toBeGreaterThan(200_000);
    expect(life).toBeLessThanOrEqual(300_000);
  });
});

describe('a group commit', () => {
  it('answers in the order given and keeps every push', async () => {
    const pushes = Array.from({ length: 64 }, (_, i) => ({
      content: { data: { alert: String(i) }, sections: {} },
      ...(i % 2 === 0 ? { reqId: reqId() } : {}),
    }));
    const answers = await accept(...pushes);
    expect(new Set(answers.map(({ pushId }) => pushId)).size).toBe(64);
    const records = await Promise.all(answers.map(({ pushId }) => t.store.pushes.read(pushId)));
    expect(records.map((record) => record?.msg['alert'])).toEqual(pushes.map((_, i) => String(i)));
  });

  it('of nothing is nothing', async () => {
    expect(await accept()).toEqual([]);
  });

  describe('tells meanwhile', () => {
    const told = async (...pushes: Partial<NewPush>[]) => {
      const named: string[] = [];
      const onNamed: OnNamed = async (pushes) => void named.push(...pushes.map(({ pushId }) => pushId));
      const answers = await t.store.acceptPushes(
        pushes.map((changes) => aPush(t, changes)),
        onNamed,
      );
      return { named, ids: answers.map(({ pushId }) => pushId) };
    };

    it('the ids of those that nothing has a say in', async () => {
      const later = { isScheduled: true, pushTime: t.clock.now() + 60_000 };
      const { named, ids } = await told({}, { reqId: reqId() }, later, {});
      expect(named).toEqual([ids[0], ids[3]]);
    });

    it('nobody when there are none', async () => {
      const onNamed = jest.fn();
      await t.store.acceptPushes([aPush(t, { reqId: reqId() })], onNamed);
      expect(onNamed).not.toHaveBeenCalled();
    });

    it('and fails with what follows from it', async () => {
      const refused = t.store.acceptPushes([aPush(t)], () => Promise.reject(new Error('no job')));
      await expect(refused).rejects.toThrow('no job');
    });
  });
});

describe('finding records', () => {
  it('a notification id names every push that shares it, a push id one', async () => {
    const notificationId = reqId();
    const ids = (await accept({ notificationId }, { notificationId }, {})).map(({ pushId }) => pushId);
    const found = await t.store.pushes.find(t.app, notificationId);
    expect(found.map(({ objectId }) => objectId).sort()).toEqual(ids.slice(0, 2).sort());
    expect((await t.store.pushes.find(t.app, ids[2] ?? '')).map(({ objectId }) => objectId)).toEqual([ids[2]]);
  });

  it('of those that share a notification id as many are read as are asked for, the newest', async () => {
    const notificationId = reqId();
    await acceptOne({ notificationId });
    t.clock.advance(1);
    const newer = (await accept(...Array.from({ length: 3 }, () => ({ notificationId })))).map(({ pushId }) => pushId);
    const found = await t.store.pushes.find(t.app, notificationId, 3);
    expect(found.map(({ objectId }) => objectId).sort()).toEqual(newer.sort());
  });

  it('of many that share a notification id the newest are kept and found; repeats do not push them out', async () => {
    const [notificationId, most] = [reqId(), LIMITS.sharedNotificationId.value];
    const size = () => t.redis.zcard(t.keys.notification(t.app, notificationId));
    const oldest = await acceptOne({ notificationId });
    t.clock.advance(1);
    const req = { notificationId, reqId: reqId() };
    const first = await acceptOne(req);
    expect((await acceptOne(req)).pushId).toBe(first.pushId);
    expect(await size()).toBe(2);
    t.clock.advance(1);
    const newer = await accept(...Array.from({ length: most - 1 }, () => ({ notificationId })));
    const kept = [first, ...newer].map(({ pushId }) => pushId).sort();
    expect((await t.store.pushes.find(t.app, notificationId)).map(({ objectId }) => objectId).sort()).toEqual(kept);
    expect(await size()).toBe(most);
    expect(await t.store.pushes.find(t.app, oldest.pushId)).toHaveLength(1);
  });

  it('of a notification id that both keys used, those of the app key neither count among the others nor push them out', async () => {
    const [notificationId, most] = [reqId(), LIMITS.sharedNotificationId.value];
    const byApp = { notificationId, by: 'app-key' } as const;
    const found = async () => (await t.store.pushes.find(t.app, notificationId)).map(({ objectId }) => objectId).sort();
    const early = await acceptOne(byApp);
    expect(await found()).toEqual([early.pushId]);
    const mine = await acceptOne({ notificationId });
    t.clock.advance(1);
    const flood = await accept(...Array.from({ length: most }, () => byApp));
    expect(await found()).toEqual([mine.pushId]);
    expect(await t.store.pushes.find(t.app, flood[0]?.pushId ?? '')).toHaveLength(1);
  });

  it.each([
    ['a usual life', { dueInMs: 0, expiresInMs: DAY_MS }, DAY_MS],
    ['a life that its sender likes', { dueInMs: 0, expiresInMs: 2_500_000 * DAY_MS }, LIMITS.notificationIdMs.value],
    ['a time that is far', { dueInMs: 400 * DAY_MS, expiresInMs: 401 * DAY_MS }, 401 * DAY_MS],
    ['a time that is past', { dueInMs: -400 * DAY_MS, expiresInMs: DAY_MS }, DAY_MS],
  ])('a notification id is kept as long as its push may wait, within a bound: %s', async (_, when, keptMs) => {
    const [notificationId, now] = [reqId(), t.clock.now()];
    await acceptOne({ notificationId, pushTime: now + when.dueInMs, expiresAt: now + when.expiresInMs });
    const leftMs = await t.redis.pttl(t.keys.notification(t.app, notificationId));
    expect(leftMs).toBeGreaterThan(keptMs);
    expect(leftMs).toBeLessThanOrEqual(keptMs + RETENTION_MS);
  });

  it('the push of another app is not found, nor does its id hide a notification id', async () => {
    const { pushId } = await acceptOne({ app: `${t.app}other` });
    expect(await t.store.pushes.find(t.app, pushId)).toEqual([]);
    const mine = await acceptOne({ notificationId: pushId });
    expect((await t.store.pushes.find(t.app, pushId)).map(({ objectId }) => objectId)).toEqual([mine.pushId]);
  });

  it('a notification id is forgotten after its last record', async () => {
    const notificationId = reqId();
    const day = 86_400_000;
    const life = () => t.redis.pttl(t.keys.notification(t.app, notificationId));
    await acceptOne({ notificationId });
    expect(await life()).toBeLessThanOrEqual(7 * day + 3_600_000);
    await acceptOne({ notificationId, expiresAt: t.clock.now() + 20 * day });
    await acceptOne({ notificationId });
    expect(await life()).toBeGreaterThan(26 * day);
  });

  it('an app lists its dispatched pushes, newest first', async () => {
    const app = unique('list');
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      const { pushId, createdAt } = await acceptOne({ app });
      await t.store.pushes.index(app, [{ pushId, createdAt }]);
      ids.unshift(pushId);
      t.clock.advance(10);
    }
    const listed = async (limit: number, skip: number) =>
      (await t.store.pushes.list(app, { limit, skip })).map(({ objectId }) => objectId);
    expect(await listed(10, 0)).toEqual(ids);
    expect(await listed(2, 1)).toEqual(ids.slice(1, 3));
    expect(await listed(0, 0)).toEqual([]);
  });
});
