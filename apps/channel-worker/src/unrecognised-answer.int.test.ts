import { ChannelFault } from '@pushfleet/channel-kit';
import { until } from '@pushfleet/testing';
import { workersUnderTest, type WorkerUnderTest } from './testing/worker-under-test';

const open = workersUnderTest();

const PAGE = 1000;
const DEVICES = 2 * PAGE + 500;
const CODE = '99999';
/** Of a page, before it is booked. */
const TRIES = 5;

const tokensOf = ({ body = '' }: { readonly body?: string | undefined }): readonly string[] =>
  body.startsWith('{') ? (JSON.parse(body) as { message: { token: readonly string[] } }).message.token : [];

/** A vendor that answers messages with this word with a code that nobody knows, for as long as it is told to. */
async function strangeVendor() {
  const worker = await open('hms');
  await worker.register(Array.from({ length: DEVICES }, (_, i) => `r-${i}`));
  const vendor = { isStrange: true, calls: [] as number[] };
  worker.beforeCall = async ({ body = '' }) => {
    if (!body.includes('"odd"')) return;
    vendor.calls.push(tokensOf({ body }).length);
    if (vendor.isStrange) throw new ChannelFault('unrecognised-answer', `code ${CODE}`, { vendorCode: CODE });
  };
  return { worker, vendor };
}

const isHeld = async ({ store }: WorkerUnderTest): Promise<boolean> =>
  (await store.pacing.pushHolds.list('hms')).length > 0;

async function heldPush(wish: { readonly lanes: number }) {
  const { worker, vendor } = await strangeVendor();
  const pushId = await worker.pushToAll({ alert: 'odd', expected: DEVICES, ...wish });
  await until(() => isHeld(worker), { timeoutMs: 40_000 });
  const [hold] = await worker.store.pacing.pushHolds.list('hms');
  expect(hold).toMatchObject({ app: worker.app.id, pushId, profile: '_default', hold: { vendorCode: CODE } });
  return { worker, vendor, pushId };
}

it.concurrent(
  'a code that nobody knows costs the page that met it, and the rest waits until the vendor takes one device',
  async () => {
    const { worker, vendor, pushId } = await heldPush({ lanes: 1 });
    const callsBefore = vendor.calls.length;
    expect(await worker.done(await worker.pushToAll({ alert: 'plain' }))).toMatchObject({ accepted: DEVICES });
    await until(() => vendor.calls.length >= callsBefore + 3, { timeoutMs: 30_000 });
    const { channels } = await worker.record(pushId);
    expect(channels['hms']).toMatchObject({ accepted: 0, failed: { 'unrecognised-answer': PAGE }, outstanding: 0 });
    const [told] = await worker.store.waits.tell([await worker.record(pushId)]);
    const wait = { channel: 'hms', profile: '_default', reason: 'unrecognised-answer', devices: DEVICES - PAGE };
    expect(told?.waiting).toMatchObject([wait]);
    vendor.isStrange = false;
    const rest = DEVICES - PAGE;
    expect(await worker.done(pushId)).toMatchObject({
      accepted: rest,
      failed: { 'unrecognised-answer': PAGE },
    });
    const afterwards = vendor.calls.slice(callsBefore);
    const firstPage = afterwards.findIndex((devices) => devices > 1);
    expect(afterwards.slice(0, firstPage).every((devices) => devices === 1)).toBe(true);
    expect(new Set(worker.sent(pushId)).size).toBe(worker.sent(pushId).length);
    expect(await isHeld(worker)).toBe(false);
  },
);

it.concurrent('lanes wait together, one device of all tries at a time, and an operator lets them go on', async () => {
  const { worker, vendor, pushId } = await heldPush({ lanes: 4 });
  let [underWay, most] = [0, 0];
  const before = worker.beforeCall;
  worker.beforeCall = async (request) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await before(request).finally(() => (underWay -= 1));
  };
  const calls = vendor.calls.length;
  await until(() => vendor.calls.length >= calls + 3, { timeoutMs: 30_000 });
  expect([most, vendor.calls.slice(calls)]).toEqual([1, [1, 1, 1]]);
  vendor.isStrange = false;
  expect(await worker.store.pacing.pushHolds.lift('hms', { app: worker.app.id })).toBe(1);
  const { accepted, failed } = await worker.done(pushId);
  const lost = failed['unrecognised-answer'] ?? 0;
  // The page of one lane.
  expect([accepted + lost, lost > 0 && lost <= PAGE]).toEqual([DEVICES, true]);
});

it.concurrent('of pages that spend their tries at the same time one is lost', async () => {
  const { worker, vendor } = await strangeVendor();
  const strange = worker.beforeCall;
  const tries = new Map<string, number>();
  let last = 0;
  worker.beforeCall = async (request) => {
    const [first = ''] = tokensOf(request);
    const count = (tries.get(first) ?? 0) + 1;
    tries.set(first, count);
    if (count === TRIES) last += 1;
    if (count === TRIES) await until(() => last >= 2, { timeoutMs: 30_000 });
    await strange(request);
  };
  const pushId = await worker.pushToAll({ alert: 'odd', lanes: 4 });
  await until(() => isHeld(worker), { timeoutMs: 40_000 });
  vendor.isStrange = false;
  const { accepted, failed } = await worker.done(pushId);
  const lost = failed['unrecognised-answer'] ?? 0;
  expect([accepted + lost, lost > 0 && lost <= PAGE]).toEqual([DEVICES, true]);
  expect(new Set(worker.sent(pushId)).size).toBe(accepted);
});

it.concurrent('a push that expires while it waits says what it waited for', async () => {
  const { worker } = await strangeVendor();
  const pushId = await worker.pushToAll({ alert: 'odd', lanes: 1, expiresInMs: 14_000 });
  expect((await worker.done(pushId)).failed).toEqual({ 'unrecognised-answer': DEVICES });
});

it.concurrent('a push that is cancelled while it waits ends at once', async () => {
  const { worker, pushId } = await heldPush({ lanes: 1 });
  await worker.store.pushes.cancel(pushId, Date.now());
  const { discarded } = await worker.done(pushId, 30_000);
  expect(discarded).toEqual({ cancelled: DEVICES - PAGE });
});
