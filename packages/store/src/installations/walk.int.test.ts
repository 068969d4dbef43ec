import type { LanePosition } from '@pushfleet/domain';
import { anInstallation, seededRandom } from '@pushfleet/testing';
import { SHARDS, shardOf } from '../kit/shards';
import { storeUnderTest } from '../testing/store-under-test';
import type { Walk, WalkedDevice } from './walk';

const t = storeUnderTest();
const { below } = seededRandom(7);
const START: LanePosition = { shard: 0, objectId: '' };
const DEVICES = 1200;

interface Known {
  readonly objectId: string;
  readonly registrationId: string;
  readonly channels: readonly string[];
  readonly n: number;
}
let known: readonly Known[] = [];

const precedes = (a: { objectId: string }, b: { objectId: string }): number =>
  shardOf(a.objectId) - shardOf(b.objectId) || Buffer.compare(Buffer.from(a.objectId), Buffer.from(b.objectId));

beforeAll(async () => {
  const saves = Array.from({ length: DEVICES }, async (_, n) => {
    const channels = ['a', 'b', 'c'].filter(() => below(2) === 0);
    const body = anInstallation({ channels, n });
    const saved = await t.store.installations.save({ app: t.app, body, now: t.clock.now() });
    return {
      objectId: saved?.installation.objectId ?? '',
      registrationId: String(body['registrationId']),
      channels,
      n,
    };
  });
  known = (await Promise.all(saves)).sort(precedes);
  // Devices of other buckets, which no walk below may meet.
  await Promise.all(
    ['mi', 'lc', 'fcm'].map((vendor) =>
      t.store.installations.save({ app: t.app, body: anInstallation({ vendor, channels: ['a'] }), now: t.clock.now() }),
    ),
  );
});

const walk = (changes: Partial<Walk> = {}) =>
  t.store.installations.walk({
    ...{ app: t.app, bucket: 'hms/_default', from: START, toShard: SHARDS, pageSize: 100 },
    ...changes,
  });

interface Walked {
  readonly devices: readonly WalkedDevice[];
  readonly sizes: readonly number[];
  readonly looks: readonly number[];
  readonly ends: readonly LanePosition[];
}

async function walkAll(changes: Partial<Walk> = {}): Promise<Walked> {
  const walking = walk(changes);
  const walked = {
    devices: [] as WalkedDevice[],
    sizes: [] as number[],
    looks: [] as number[],
    ends: [] as LanePosition[],
  };
  for (;;) {
    const page = await walking.next();
    walked.devices.push(...page.devices);
    walked.sizes.push(page.devices.length);
    walked.looks.push(page.lookedAt);
    if (!page.end) return walked;
    walked.ends.push(page.end);
  }
}

const expected = (filter: (device: Known) => boolean = () => true): readonly WalkedDevice[] =>
  known.filter(filter).map(({ objectId, registrationId }) => ({ objectId, registrationId }));

it.each([1, 7, 100, 1000, 5000])(
  'every device comes exactly once in (shard, objectId) order, in pages of %i',
  async (pageSize) => {
    const { devices, sizes } = await walkAll({ pageSize });
    expect(devices).toEqual(expected());
    expect(sizes.slice(0, -1).every((size) => size === pageSize)).toBe(true);
    expect(sizes.at(-1)).toBeLessThan(pageSize);
  },
);

it('a page that spans shards ends at its last device', async () => {
  const { ends } = await walkAll();
  expect(ends).toEqual(
    [99, 199, 299, 399, 499, 599, 699, 799, 899, 999, 1099, 1199].map((i) => {
      const objectId = known[i]?.objectId ?? '';
      return { shard: shardOf(objectId), objectId };
    }),
  );
});

it('a walk resumes behind any position, whether the device there is still there or not', async () => {
  for (const i of [0, 1, 500, 1198, 1199]) {
    const { objectId } = known[i] as Known;
    const { devices } = await walkAll({ from: { shard: shardOf(objectId), objectId }, pageSize: 333 });
    expect(devices).toEqual(expected().slice(i + 1));
  }
  const next = known[600] as Known;
  const justBefore = `${next.objectId.slice(0, -1)}${String.fromCharCode(next.objectId.charCodeAt(31) - 1)}`;
  const { devices } = await walkAll({ from: { shard: shardOf(next.objectId), objectId: justBefore } });
  expect(devices).toEqual(expected().slice(600));
});

it('lanes that share the shards share the devices', async () => {
  const lanes = await Promise.all(
    [0, 64, 128, 192].map((shard) => walkAll({ from: { shard, objectId: '' }, toShard: shard + 64 })),
  );
  expect(lanes.flatMap(({ devices }) => devices)).toEqual(expected());
});

it('a predicate filters, and pages are filled with what matches', async () => {
  const { devices, sizes } = await walkAll({ predicate: { n: { $lt: 450 } } });
  expect(devices).toEqual(expected(({ n }) => n < 450));
  expect(sizes).toEqual([100, 100, 100, 100, 50]);
});

it('a predicate sees objectId and registrationId', async () => {
  const one = known[33] as Known;
  const predicate = { objectId: { $gte: one.objectId, $lte: one.objectId }, registrationId: one.registrationId };
  expect((await walkAll({ predicate })).devices).toEqual(expected((device) => device === one));
});

it('a page whose devices do not match ends all the same, so that the lane can yield', async () => {
  const app = `${t.app}many`;
  const { redis, keys } = t;
  const members = Array.from({ length: 45_000 }, (_, i) => `device${String(i).padStart(6, '0')} r`);
  for (let i = 0; i < members.length; i += 5000) {
    const some = members.slice(i, i + 5000).flatMap((member) => [0, member] as const);
    await redis.zadd(keys.bucket(app, 3, 'own'), ...some);
  }
  const { sizes, looks, ends, devices } = await walkAll({ app, bucket: 'own', predicate: { n: 1 }, pageSize: 1000 });
  expect(devices).toEqual([]);
  expect(sizes).toEqual([0, 0, 0]);
  expect(looks).toEqual([20_000, 20_000, 5000]);
  expect(ends).toEqual([
    { shard: 3, objectId: 'device019999' },
    { shard: 3, objectId: 'device039999' },
  ]);
});

it.each([[['a']], [['a', 'b']], [['c', 'a', 'b']], [['nobody']], [['nobody', 'b']], [[]]])(
  'subscribers of any of %j come once, in order',
  async (subscriptions) => {
    const isSubscriber = ({ channels }: Known) => channels.some((channel) => subscriptions.includes(channel as never));
    for (const pageSize of [1, 30, 1000]) {
      const { devices, sizes } = await walkAll({ subscriptions, pageSize });
      expect(devices).toEqual(expected(isSubscriber));
      expect(Math.max(...sizes)).toBeLessThanOrEqual(pageSize);
    }
  },
);

it('a walk of subscribers resumes and filters like any other', async () => {
  const { objectId } = known[700] as Known;
  const changes = { subscriptions: ['a', 'b'], predicate: { n: { $gte: 600 } }, pageSize: 40 };
  const { devices } = await walkAll({ ...changes, from: { shard: shardOf(objectId), objectId } });
  const behind = known
    .slice(701)
    .filter(({ channels, n }) => n >= 600 && (channels.includes('a') || channels.includes('b')));
  expect(devices).toEqual(behind.map(({ objectId: id, registrationId }) => ({ objectId: id, registrationId })));
});

it('a shard with more subscribers than a page is walked to its end, whatever the overlap of the channels', async () => {
  const app = `${t.app}crowd`;
  const { redis, keys } = t;
  const ids = Array.from(
    { length: 2500 },
    (_, i) => `${'aAzZ09'[i % 6] ?? ''}${String((i * 7919) % 2500).padStart(5, '0')}`,
  );
  await redis.zadd(keys.bucket(app, 5, 'own'), ...ids.flatMap((id) => [0, `${id} r${id}`] as const));
  const inChannel = (channel: string) =>
    ids.filter((_, i) => (channel === 'x' ? i % 2 === 0 : channel === 'y' ? i % 3 === 0 : i < 10));
  for (const channel of ['x', 'y', 'z']) {
    const members = inChannel(channel).flatMap((id) => [0, id] as const);
    await redis.zadd(keys.subscribers(app, 5, { bucket: 'own', channel }), ...members);
  }
  const union = [...new Set(['x', 'y', 'z'].flatMap(inChannel))].sort();
  const { devices } = await walkAll({ app, bucket: 'own', subscriptions: ['x', 'y', 'z'], pageSize: 100 });
  expect(devices).toEqual(union.map((objectId) => ({ objectId, registrationId: `r${objectId}` })));
});

it('sizes are told per shard, for a bucket or its subscribers', async () => {
  const perShard = (filter: (device: Known) => boolean) =>
    Array.from(
      { length: SHARDS },
      (_, shard) => known.filter((d) => shardOf(d.objectId) === shard && filter(d)).length,
    );
  expect(await t.store.installations.sizes(t.app, 'hms/_default')).toEqual(perShard(() => true));
  const ofA = perShard(({ channels }) => channels.includes('a'));
  expect(await t.store.installations.sizes(t.app, 'hms/_default', ['a'])).toEqual(ofA);
});

it('bucket names are those that devices ever had', async () => {
  expect([...(await t.store.installations.bucketNames(t.app))].sort()).toEqual([
    'hms/_default',
    'mi/_default',
    'own',
    'unknown',
  ]);
});

it('addresses of devices that left the bucket are missing', async () => {
  const [one, two] = known as [Known, Known];
  const held = await t.store.installations.addresses(t.app, 'hms/_default', [one.objectId, two.objectId, 'unknown']);
  expect([...held]).toEqual([one, two].map(({ objectId, registrationId }) => [objectId, registrationId]));
  expect(await t.store.installations.addresses(t.app, 'mi/_default', [one.objectId])).toEqual(new Map());
});
