import { simulatorProfiles } from '@pushfleet/channels/simulators';
import type { DiscardReason, JsonObject, RouteBucket } from '@pushfleet/domain';
import { Books, SHARDS } from '@pushfleet/store';
import { until } from '@pushfleet/testing';
import { workersUnderTest, type WorkerUnderTest } from './testing/worker-under-test';

const open = workersUnderTest();

const CHANNEL = 'mz';
const ANDROID = { predicate: { deviceType: 'android' } };
const ids = (count: number, prefix: string): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}-${i}`);

interface WalkedBucket {
  readonly bucket: RouteBucket;
  readonly profile?: string;
  readonly discard?: DiscardReason;
  readonly retiredUntil?: number;
}

/** A push to everybody with a lane for each of these buckets; each is walked when its turn comes. */
async function walkedInTurns(worker: WorkerUnderTest, buckets: readonly WalkedBucket[]) {
  const pushId = await worker.accept({ audience: ANDROID });
  const lanes = buckets.map((one, i) => ({
    ...{ id: i + 1, channel: CHANNEL, profile: '', fromShard: 0, toShard: SHARDS },
    ...one,
  }));
  await worker.store.ledger.plan({ pushId, lanes, pages: [], books: [new Books(CHANNEL)], now: Date.now() });
  return {
    pushId,
    async walk(lane: number) {
      await worker.jobs.bulk.add([{ id: `${pushId}-${lane}`, data: { pushId, lane } }]);
      await until(async () => (await worker.store.ledger.lane(pushId, lane)) === undefined);
    },
  };
}

const LIVING = { bucket: `${CHANNEL}/_default`, profile: '_default' };
const OTHER = { bucket: `${CHANNEL}/other`, profile: 'other' };
const DEAD = { bucket: `retired:${CHANNEL}`, discard: 'registration-gone' } as const;

test('a registration that dies in a campaign is told once, though it has moved to those that were dead before', async () => {
  const worker = await open(CHANNEL);
  await worker.register([...ids(2, 'r'), ...ids(3, 'gone')]);
  await worker.done(await worker.pushToAll({ lanes: 1 }));
  await until(async () => (await worker.audienceSize()) === 2);
  await worker.register(ids(4, 'gone-later'));
  const { pushId, walk } = await walkedInTurns(worker, [LIVING, { ...DEAD, retiredUntil: Date.now() }]);
  await walk(1);
  await until(async () => (await worker.audienceSize()) === 2);
  await walk(2);
  expect(await worker.done(pushId)).toMatchObject({
    ...{ matched: 9, accepted: 2, discarded: { 'registration-gone': 7 } },
  });
});

test('a device that saves itself in a campaign, the same or with a new registration, gets it once', async () => {
  const worker = await open(CHANNEL);
  const { store, app } = worker;
  const objectIds = await worker.register(ids(1500, 'r'));
  const isHeld = { now: true };
  worker.beforeCall = async () => void (await until(() => !isHeld.now));
  const { pushId, walk } = await walkedInTurns(worker, [LIVING]);
  const walked = walk(1);
  const save = (objectId: string, body: JsonObject) =>
    store.installations.save({ app: app.id, objectId, body, now: Date.now() });
  await Promise.all(objectIds.map((objectId, i) => save(objectId, i % 2 === 0 ? {} : { registrationId: `new-${i}` })));
  isHeld.now = false;
  await walked;
  expect(await worker.done(pushId)).toMatchObject({ matched: 1500, accepted: 1500 });
});

test('a device that changes its bucket between two lanes is reached by each that finds it', async () => {
  const worker = await open(CHANNEL);
  const { store, app } = worker;
  const other = { app: app.id, channel: CHANNEL, profile: 'other' };
  await store.profiles.put(other, { value: simulatorProfiles[CHANNEL], receiptKey: 'k' });
  const [early = '', late = ''] = await worker.register(['early', 'late']);
  const move = (objectId: string, deviceProfile: string) =>
    store.installations.save({ app: app.id, objectId, body: { deviceProfile }, now: Date.now() });
  await move(late, 'other');
  const { pushId, walk } = await walkedInTurns(worker, [LIVING, OTHER]);
  await walk(1);
  await Promise.all([move(early, 'other'), move(late, '_default')]);
  await walk(2);
  await worker.done(pushId);
  expect(worker.sent(pushId)).toEqual(['early', 'early']);
});
