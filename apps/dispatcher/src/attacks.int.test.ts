import { parseWhere, type Audience, type JsonObject } from '@pushfleet/domain';
import { unique } from '@pushfleet/testing';
import { openIndexChecker } from './check-channel-indexes';
import { dispatchEnvelope } from './dispatch';
import { countPush } from './preflight/count-push';
import { attempt, dispatcherUnderTest } from './testing/dispatcher-under-test';

const t = dispatcherUnderTest();

/** One for each bucket that anybody with the app key can make. */
const KINDS: readonly JsonObject[] = [
  ...[{}, { deviceType: 'ios' }, { vendor: 'nobody' }, { vendor: 'mi', registrationId: '' }],
  ...['HMS', 'mi', 'mz'].flatMap((vendor): JsonObject[] => [{ vendor }, { vendor, deviceProfile: 'other' }]),
];
const NAMES = Array.from({ length: 200 }, (_, n) => `c${n}`);

/** Devices in so many shards that every channel may be everywhere. */
async function subscribeAll(app: string): Promise<readonly string[]> {
  const rows = Array.from({ length: 240 }, (_, n) => ({
    objectId: unique('o'),
    doc: { deviceType: 'android', registrationId: `r${n}`, ...KINDS[n % KINDS.length], channels: NAMES },
  }));
  await t.store.installations.import(app, rows);
  return rows.map(({ objectId }) => objectId).sort();
}

const unsubscribe = (app: string, objectIds: readonly string[]) =>
  Promise.all(
    objectIds.map((objectId) => t.store.installations.save({ app, objectId, body: { channels: [] }, now: Date.now() })),
  );

/** Sets that Redis looked at since the function was called. */
async function countLooks(): Promise<() => Promise<number>> {
  const read = async (): Promise<number> => {
    const found = (await t.redis.info('commandstats')).matchAll(/cmdstat_(?:zcard|zrange|zrangebylex):calls=(\d+)/g);
    return [...found].reduce((sum, [, calls]) => sum + Number(calls), 0);
  };
  const before = await read();
  return async () => (await read()) - before;
}

async function indexedApp(): Promise<Awaited<ReturnType<typeof t.createApp>>> {
  await t.store.installations.channels.noteFleet({ now: Date.now(), isFresh: async () => true });
  const app = await t.createApp();
  const stopping = new AbortController().signal;
  await openIndexChecker({ store: t.store, now: Date.now, stopping, attempt })();
  return app;
}

/** Whom the lanes of a push would send to. */
async function reached(pushId: string): Promise<readonly string[]> {
  const push = await t.store.pushes.toSend(pushId);
  const { lanes, pages } = await t.store.ledger.openParts(pushId);
  const found = pages.flatMap(([, { devices }]) => devices.map(([objectId]) => objectId));
  for (const { bucket, fromShard, toShard } of lanes) {
    const from = { shard: fromShard, objectId: '' };
    const audience = { ...push?.audience, pageSize: 1000 };
    const walk = t.store.installations.walk({ app: push?.app ?? '', bucket, from, toShard, ...audience });
    for (let isOver = false; !isOver;) {
      const { devices, end } = await walk.next();
      found.push(...devices.map(({ objectId }) => objectId));
      isOver = end === undefined;
    }
  }
  return found.sort();
}

/** Of the channels in each bucket of each shard there are half a million. */
const MOST_LOOKS = 100_000;

const SUBSCRIBED: Audience = { subscriptions: NAMES };
/** Answered anew for every push; all devices meet it. */
const WITH_SUBQUERY: Audience = {
  ...SUBSCRIBED,
  predicate: parseWhere({
    deviceType: { $notInQuery: { className: '_Installation', where: { deviceType: 'none' } } },
  }),
};

describe('a push to hundreds of channels that are everywhere', () => {
  test.each([
    ['has subscribers of all of them', SUBSCRIBED, false],
    ['had them until lately', SUBSCRIBED, true],
    ['has subscribers of all of them and the push a sub-query', WITH_SUBQUERY, false],
  ])('holds Redis no longer than one to everybody, where the app %s', async (_, audience, isLeft) => {
    const app = await indexedApp();
    const devices = await subscribeAll(app.id);
    if (isLeft) await unsubscribe(app.id, devices);
    const pushId = await t.accept(app, { audience });
    const looks = await countLooks();
    await dispatchEnvelope(t.ports, unique('e'), [pushId]);
    expect(await reached(pushId)).toEqual(isLeft ? [] : devices);
    expect(await looks()).toBeLessThan(MOST_LOOKS);
  });

  test.each([
    ['by a sample', SUBSCRIBED, false],
    ['by a walk', SUBSCRIBED, true],
    ['by a sample, with a sub-query', WITH_SUBQUERY, false],
  ])('is counted before it is sent without holding Redis for longer: %s', async (_, audience, isExact) => {
    const app = await indexedApp();
    const devices = await subscribeAll(app.id);
    const times = { pushTime: Date.now(), expiresAt: Date.now() + 3_600_000 };
    const push = { content: { data: { alert: 'x' }, sections: {} }, audience, ...times };
    const question = { id: unique('q'), app: app.id, ways: {}, isExact, until: Infinity, frame: {}, push };
    const looks = await countLooks();
    const { counts } = await countPush({ ...t.ports, now: () => 0 }, question, {
      signal: new AbortController().signal,
      onLookedAt: () => undefined,
    });
    expect(counts.reduce((sum, { matched }) => sum + matched, 0)).toBe(devices.length);
    expect(await looks()).toBeLessThan(MOST_LOOKS);
  });
});
