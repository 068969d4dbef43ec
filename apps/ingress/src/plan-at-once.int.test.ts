import type { JsonObject } from '@pushfleet/domain';
import { anInstallation, aPushRequest, redisHarness, unique, until } from '@pushfleet/testing';
import { fieldsOf, openIngress, type Ingress } from './testing/ingress-harness';

const harness = redisHarness();
let ingress: Ingress;

beforeAll(async () => {
  ingress = await openIngress(harness);
});

async function aDevice(): Promise<{ readonly objectId: string; readonly installationId: string }> {
  const installationId = unique('device');
  const body = anInstallation({ installationId });
  const saved = await ingress.store.installations.save({ app: ingress.app.id, body, now: Date.now() });
  return { objectId: saved?.installation.objectId ?? '', installationId };
}

const push = async (overrides: JsonObject): Promise<string> =>
  fieldsOf(await ingress.call('POST', '/1.1/push', { body: aPushRequest(overrides) }))['objectId'] ?? '';

/** Jobs that wait for a dispatcher, and for the own channel, which serves every device of an app without hybrid push. */
async function jobs(): Promise<readonly [requests: number, direct: number]> {
  const count = async (queue: Ingress['queues']['requests'] | ReturnType<Ingress['queues']['direct']>) =>
    Object.values(await queue.depth()).reduce((sum, waiting) => sum + waiting, 0);
  return [await count(ingress.queues.requests), await count(ingress.queues.direct('own'))];
}

async function addedBy(act: () => Promise<unknown>): Promise<readonly [requests: number, direct: number]> {
  const before = await jobs();
  await act();
  const after = await jobs();
  return [after[0] - before[0], after[1] - before[1]];
}

it.each(['objectId', 'installationId'] as const)('a push to a device by its %s needs no dispatcher', async (field) => {
  const device = await aDevice();
  let pushId = '';
  expect(await addedBy(async () => (pushId = await push({ where: { [field]: device[field] } })))).toEqual([0, 1]);
  const found = await ingress.store.pushes.withPage(pushId, 1);
  expect(found).toMatchObject({
    push: { isDispatched: true },
    page: { channel: 'own', devices: [[device.objectId, expect.any(String)]] },
  });
  const { results } = (await ingress.asMaster('GET', '/1.1/notifications?limit=1')).body as { results: object[] };
  expect(results).toEqual([expect.objectContaining({ objectId: pushId, status: 'in-queue' })]);
});

/** Makes the index of the app's channels one that is known to be whole. */
async function indexChannels(): Promise<void> {
  const { channels } = ingress.store.installations;
  const settledAt = await channels.noteFleet({ now: Date.now(), isFresh: () => Promise.resolve(true) });
  await channels.check(ingress.app.id, { now: Date.now, settledAt, stopping: new AbortController().signal });
  await until(() => channels.isSound(ingress.app.id));
}

describe('a push to a channel', () => {
  const subscribe = async (...channels: readonly string[]): Promise<string> => {
    const body = anInstallation({ installationId: unique('device'), channels });
    const saved = await ingress.store.installations.save({ app: ingress.app.id, body, now: Date.now() });
    return saved?.installation.objectId ?? '';
  };

  it('is left to the dispatcher while the index is not known to be whole', async () => {
    const channel = unique('c');
    await subscribe(channel);
    expect(await addedBy(() => push({ channels: [channel] }))).toEqual([1, 0]);
  });

  it('of few needs no dispatcher, and is booked as one to an audience', async () => {
    await indexChannels();
    const [ann, bob] = [unique('c'), unique('c')];
    const devices = [await subscribe(ann), await subscribe(ann, bob), await subscribe(bob)];
    await subscribe(unique('c'));
    const isPlanned = async (channels: readonly string[]): Promise<boolean> => {
      let pushId = '';
      const added = await addedBy(async () => (pushId = await push({ channels: [...channels] })));
      if (added[1] === 0) return false;
      expect(added).toEqual([0, 1]);
      const found = await ingress.store.pushes.withPage(pushId, 1);
      expect(found).toMatchObject({ push: { isDispatched: true }, page: { direct: true, forAudience: true } });
      expect(found?.page?.devices.map(([objectId]) => objectId).sort()).toEqual([...devices].sort());
      return true;
    };
    // What is known of an index may be a second old.
    await until(() => isPlanned([ann, bob]));
  });

  it('of nobody, of many or with a condition is left to the dispatcher', async () => {
    await indexChannels();
    const [few, many] = [unique('c'), unique('c')];
    await subscribe(few);
    await Promise.all(Array.from({ length: 17 }, () => subscribe(many)));
    await until(async () => (await addedBy(() => push({ channels: [few] })))[1] === 1);
    const left: readonly JsonObject[] = [
      { channels: [unique('c')] },
      { channels: [many] },
      { channels: [few], where: { timeZone: 'Asia/Shanghai' } },
      { channels: [few], req_id: unique('q').slice(0, 16) },
      { channels: [few, ...Array.from({ length: 16 }, () => unique('c'))] },
    ];
    for (const overrides of left)
      expect([overrides, await addedBy(() => push(overrides))]).toEqual([overrides, [1, 0]]);
  });
});

it('what a rule refuses, what nobody knows and what takes long is left to the dispatcher', async () => {
  const { objectId } = await aDevice();
  const ids = Array.from({ length: 17 }, () => unique('nobody'));
  const left: readonly JsonObject[] = [
    { where: { objectId: unique('nobody') } },
    { where: { objectId: { $in: [objectId, ...ids] } } },
    { where: { objectId, timeZone: 'Asia/Shanghai' } },
    { where: { objectId }, req_id: unique('q').slice(0, 16) },
    { where: {} },
  ];
  for (const overrides of left) expect([overrides, await addedBy(() => push(overrides))]).toEqual([overrides, [1, 0]]);
  const ios = anInstallation({ installationId: unique('ios'), deviceType: 'ios' });
  await ingress.store.installations.save({ app: ingress.app.id, body: ios, now: Date.now() });
  expect(await addedBy(() => push({ where: { installationId: ios['installationId'] ?? '' } }))).toEqual([1, 0]);
});

it('pushes that come together share one job', async () => {
  const devices = await Promise.all(Array.from({ length: 20 }, aDevice));
  const requests = devices.map(({ objectId }) => ({
    method: 'POST',
    path: '/1.1/push',
    body: aPushRequest({ where: { objectId } }),
  }));
  const [dispatched, direct] = await addedBy(() => ingress.call('POST', '/1.1/batch', { body: { requests } }));
  expect(dispatched).toBe(0);
  expect(direct).toBeGreaterThan(0);
  expect(direct).toBeLessThan(devices.length);
});
