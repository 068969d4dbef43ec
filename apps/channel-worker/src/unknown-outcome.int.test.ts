import { setTimeout as delay } from 'node:timers/promises';
import { ChannelFault } from '@pushfleet/channel-kit';
import { simulatorProfiles } from '@pushfleet/channels/simulators';
import { until } from '@pushfleet/testing';
import { workersUnderTest, type WorkerUnderTest } from './testing/worker-under-test';

const open = workersUnderTest();

const ids = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `r-${i}`);
const hangUp = (): never => {
  throw new ChannelFault('unknown-outcome', 'no answer');
};
/** Vendor calls that one profile has under way. */
const SENDS = 4;
const MZ_BATCH = 100;

/** A vendor that takes calls and gives no answer, for as long as it is told to. */
async function silentVendor(
  devices: number,
): Promise<{ worker: WorkerUnderTest; isSilent: { now: boolean }; taken: string[] }> {
  const worker = await open('mz');
  await worker.register(ids(devices));
  const isSilent = { now: false };
  const taken: string[] = [];
  worker.beforeCall = async ({ body = '' }) => {
    const pushIds = new URLSearchParams(body).get('pushIds') ?? '';
    taken.push(...pushIds.split(','));
    if (isSilent.now) hangUp();
  };
  return { worker, isSilent, taken };
}

/** The same, with one more device that a push may address. */
async function silentTo(name: string) {
  const vendor = await silentVendor(1);
  const [objectId = ''] = await vendor.worker.register([name]);
  vendor.isSilent.now = true;
  return { ...vendor, objectId };
}

test.concurrent(
  'a campaign that meets a silent vendor loses a few calls, waits, and goes on when one device is answered',
  async () => {
    const { worker, isSilent, taken } = await silentVendor(3000);
    let calls = 0;
    const probes: number[] = [];
    const before = worker.beforeCall;
    worker.beforeCall = async (request) => {
      calls += 1;
      if (calls === 6) isSilent.now = true;
      const devices = (new URLSearchParams(request.body).get('pushIds') ?? '').split(',').length;
      if (isSilent.now && calls > 6 + 3 + SENDS) probes.push(devices);
      if (probes.length === 2) isSilent.now = false;
      await before(request);
    };
    // The pauses between the probes come to most of a minute.
    const pushId = await worker.pushToAll({ expiresInMs: 150_000 });
    const { matched, accepted, failed } = await worker.done(pushId, 150_000);
    const lost = failed['unknown-outcome'] ?? 0;
    expect([matched, accepted + lost]).toEqual([3000, 3000]);
    expect(lost).toBeLessThanOrEqual((3 + SENDS) * MZ_BATCH + probes.length);
    expect(probes.every((devices) => devices === 1)).toBe(true);
    // The vendor took every call: nobody has two of them.
    expect([taken.length, new Set(taken).size]).toEqual([3000, 3000]);
  },
);

test.concurrent('an addressed push is called for twice at most, and the third such push waits', async () => {
  const { worker, isSilent, taken, objectId } = await silentTo('otp');
  const { failed } = await worker.done(await worker.pushTo([objectId]));
  expect([failed, taken]).toEqual([{ 'unknown-outcome': 1 }, ['otp', 'otp']]);
  const waiting = await worker.pushTo([objectId]);
  await until(() => taken.length >= 3);
  isSilent.now = false;
  expect(await worker.done(waiting)).toMatchObject({ accepted: 1, failed: {} });
});

test.concurrent('an addressed push of several calls repeats each of them once', async () => {
  const { worker, isSilent, taken } = await silentVendor(0);
  const objectIds = await worker.register(ids(3 * MZ_BATCH));
  let calls = 0;
  const before = worker.beforeCall;
  worker.beforeCall = async (request) => {
    calls += 1;
    // Silent to the first call, which goes alone, and to one of the others when that was repeated.
    isSilent.now = calls === 1 || calls === 3;
    await before(request);
  };
  expect(await worker.done(await worker.pushTo(objectIds))).toMatchObject({ accepted: 3 * MZ_BATCH, failed: {} });
  expect([taken.length, new Set(taken).size]).toEqual([5 * MZ_BATCH, 3 * MZ_BATCH]);
});

test.concurrent('devices that were not called for are not booked as if they may have got the message', async () => {
  const { worker, isSilent, taken } = await silentVendor(0);
  const objectIds = await worker.register(ids(3 * MZ_BATCH));
  isSilent.now = true;
  const before = worker.beforeCall;
  const expiresInMs = 8000;
  worker.beforeCall = async (request) => {
    await delay(expiresInMs);
    await before(request);
  };
  const { failed, discarded } = await worker.done(await worker.pushTo(objectIds, { expiresInMs }));
  expect([new Set(taken).size, failed, discarded]).toEqual([
    MZ_BATCH,
    { 'unknown-outcome': MZ_BATCH },
    { expired: 2 * MZ_BATCH },
  ]);
});

test.concurrent('devices that were found for an audience are called for once, as those of a campaign are', async () => {
  const { worker, taken, objectId } = await silentTo('found');
  const { failed } = await worker.done(await worker.pushTo([objectId], { forAudience: true }));
  expect([failed, taken]).toEqual([{ 'unknown-outcome': 1 }, ['found']]);
});

test.concurrent.each([
  ['never', 1],
  ['once', 2],
] as const)('a profile that repeats %s is called %d times', async (repeatUnknown, calls) => {
  const { worker, isSilent, taken } = await silentVendor(0);
  await worker.putProfile({ ...simulatorProfiles.mz, repeatUnknown });
  await worker.register(['one']);
  isSilent.now = true;
  const { failed } = await worker.done(await worker.pushToAll());
  expect([failed, taken.length]).toEqual([{ 'unknown-outcome': 1 }, calls]);
});

test.concurrent('a profile that repeats once calls for no device of a campaign a third time', async () => {
  const { worker, isSilent, taken } = await silentVendor(0);
  await worker.putProfile({ ...simulatorProfiles.mz, repeatUnknown: 'once' });
  const [first = ''] = await worker.register(ids(350));
  await worker.done(await worker.pushTo([first]));
  taken.length = 0;
  let calls = 0;
  const before = worker.beforeCall;
  worker.beforeCall = async (request) => {
    calls += 1;
    // Silent to all devices, to the first probe, and to those who are called for when the second one was answered.
    isSilent.now = calls !== SENDS + 2 && calls <= 2 * SENDS + 2;
    await before(request);
  };
  await worker.done(await worker.pushToAll({ lanes: 1 }), 90_000);
  const times = new Map<string, number>();
  for (const id of taken) times.set(id, (times.get(id) ?? 0) + 1);
  expect([times.size, Math.max(...times.values())]).toEqual([350, 2]);
});

test.concurrent('a vendor that tells repeats is asked again under the same key, until it answers', async () => {
  const worker = await open('vivo');
  const objectIds = await worker.register(['one']);
  await worker.done(await worker.pushTo(objectIds));
  const keys: unknown[] = [];
  worker.beforeCall = async ({ url, body = '' }) => {
    if (!url.endsWith('/message/send')) return;
    keys.push((JSON.parse(body) as { requestId?: unknown }).requestId);
    if (keys.length < 3) hangUp();
  };
  expect(await worker.done(await worker.pushTo(objectIds))).toMatchObject({ accepted: 1, failed: {} });
  expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
});
