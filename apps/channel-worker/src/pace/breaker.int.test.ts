import { setTimeout as delay } from 'node:timers/promises';
import { ChannelFault, type VendorRequest } from '@pushfleet/channel-kit';
import { simulatorProfiles } from '@pushfleet/channels/simulators';
import { until } from '@pushfleet/testing';
import { workersUnderTest, type WorkerUnderTest } from '../testing/worker-under-test';
import { FAULTS_TO_OPEN } from './breaker';

const start = workersUnderTest();
const ids = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `r${i}`);

/** A vendor that can be away for one of its apps; counts the calls for it. */
class Outage {
  isOver = false;
  calls = 0;
  underWay = 0;
  mostAtOnce = 0;

  constructor(private readonly vendorApp: string) {}

  readonly beforeCall = async ({ body = '' }: VendorRequest): Promise<void> => {
    if (!body.includes(`appId=${this.vendorApp}`)) return;
    this.calls += 1;
    this.underWay += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.underWay);
    await delay(30);
    this.underWay -= 1;
    if (!this.isOver) throw new ChannelFault('unreachable', 'ECONNREFUSED');
  };
}

async function startAway(vendorApp: string, beside?: WorkerUnderTest) {
  const worker = await start('mz', beside);
  await worker.putProfile({ ...simulatorProfiles.mz, appId: vendorApp });
  return worker;
}

const breakers = (worker: WorkerUnderTest) => worker.store.pacing.breakers.list('mz');
const isOpen = async (worker: WorkerUnderTest): Promise<boolean> =>
  (await breakers(worker)).some(({ breaker }) => breaker.state === 'open');

it('a vendor that is away is left alone by all workers, tried by one call at a time, and gets everything in the end', async () => {
  const worker = await startAway('666');
  const other = await startAway('667', worker);
  const outage = new Outage('666');
  for (const each of [worker, other]) each.beforeCall = outage.beforeCall;
  const objectIds = await worker.register(ids(40));
  const pushes = await Promise.all(objectIds.map((id) => worker.pushTo([id])));
  await until(() => isOpen(worker));
  await Promise.all([worker.refresh(), other.refresh()]);
  await worker.rests();
  const [callsBefore, restedAt] = [outage.calls, performance.now()];
  outage.mostAtOnce = 0;
  await until(() => outage.calls >= callsBefore + 2);
  const probes = outage.calls - callsBefore;
  // A pause lasts half a second at least.
  expect(performance.now() - restedAt).toBeGreaterThanOrEqual((probes - 1) * 490);
  expect(outage.mostAtOnce).toBe(1);
  const [held] = await breakers(worker);
  expect(held).toMatchObject({ app: worker.app.id, profile: '_default', breaker: { reason: 'unreachable' } });
  outage.isOver = true;
  for (const pushId of pushes) expect(await worker.done(pushId)).toMatchObject({ accepted: 1 });
  expect(await breakers(worker)).toEqual([]);
});

it('an app whose vendor is away does not hold up another of the channel', async () => {
  const away = await startAway('666');
  const outage = new Outage('666');
  away.beforeCall = outage.beforeCall;
  const served = await startAway('667', away);
  served.beforeCall = outage.beforeCall;
  const [absent, present] = [await away.register(ids(30)), await served.register(ids(30))];
  const expiring = await Promise.all(absent.map((id) => away.pushTo([id], { expiresInMs: 4000 })));
  const waiting = await Promise.all(absent.map((id) => away.pushTo([id], { expiresInMs: 600_000 })));
  await until(() => isOpen(away));
  const pushes = [await served.pushToAll(), ...(await Promise.all(present.map((id) => served.pushTo([id]))))];
  for (const pushId of pushes) expect((await served.done(pushId)).accepted).toBeGreaterThan(0);
  // Whoever stood behind the vendor that is away would stand there still.
  const standing = await Promise.all(waiting.map((pushId) => away.record(pushId)));
  expect(standing.filter(({ status }) => status === 'done')).toEqual([]);
  // What waited for the vendor until it expired is told so, whether it was tried or not.
  for (const pushId of expiring) expect((await away.done(pushId)).failed).toEqual({ unreachable: 1 });
  outage.isOver = true;
  for (const pushId of waiting) expect(await away.done(pushId)).toMatchObject({ accepted: 1 });
});

it('a campaign waits behind an open breaker without calling, and goes on', async () => {
  const worker = await startAway('666');
  const outage = new Outage('666');
  worker.beforeCall = outage.beforeCall;
  await worker.register(ids(300));
  const pushId = await worker.pushToAll({ lanes: 2 });
  await until(() => isOpen(worker), { timeoutMs: 20_000 });
  const calls = outage.calls;
  expect(calls).toBeGreaterThanOrEqual(FAULTS_TO_OPEN);
  outage.isOver = true;
  expect(await worker.done(pushId)).toMatchObject({ accepted: 300 });
});
