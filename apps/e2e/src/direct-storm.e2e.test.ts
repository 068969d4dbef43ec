import { until } from '@pushfleet/testing';
import { Fleet, type DemoApp } from './fleet';

const BATCHES = 3;
const PER_BATCH = 1000;
/** So that most of the storm still waits for its vendor when the other app pushes, on a machine that accepts it slowly too. */
const VENDOR_MS = 1000;
/** So that no storm of many thousands is needed before some of it waits in the queue. */
const SETTINGS = { DIRECT_CONCURRENCY: '8' };

let fleet: Fleet;

beforeAll(async () => {
  fleet = await Fleet.start(['hms'], SETTINGS);
});
afterAll(() => fleet.stop(), 60_000);

async function appWithDevice(registrationId: string): Promise<DemoApp> {
  const app = await fleet.createApp();
  const device = { deviceType: 'android', installationId: registrationId, vendor: 'HMS', registrationId };
  await fleet.call(app, ['POST', '/installations'], device);
  return app;
}

const pushTo = (installationId: string) => ({ where: { installationId }, data: { alert: 'Your code is 123456' } });

type Answered = readonly { readonly success: { readonly objectId: string } }[];

it('thousands of addressed pushes of one app do not stand before the one of another', async () => {
  const [storming, other] = [await appWithDevice('storm'), await appWithDevice('other')];
  await fleet.simulator('PUT', '/faults', { channel: 'hms', kind: 'slow', delayMs: VENDOR_MS });
  const element = { method: 'POST', path: '/1.1/push', body: pushTo('storm') };
  const body = { requests: Array.from({ length: PER_BATCH }, () => element) };
  const answers: Answered[] = [];
  for (let i = 0; i < BATCHES; i += 1) answers.push(await fleet.callAsServer(storming, ['POST', '/batch'], body));
  // All of it waits at the channel's worker.
  const last = answers.at(-1)?.at(-1)?.success.objectId ?? '';
  await until(async () => (await fleet.record(storming, last)).channels['hms']?.matched === 1);
  const before = (await fleet.traffic('hms')).devices;
  const { objectId } = await fleet.push(other, pushTo('other'));
  expect((await fleet.done(other, objectId)).successes).toBe(1);
  const between = (await fleet.traffic('hms')).devices - before;
  const waiting = BATCHES * PER_BATCH - before;
  expect(waiting).toBeGreaterThan(PER_BATCH);
  // Whatever was in the vendor's hands or about to be is ahead of it, the rest is not.
  expect(between).toBeLessThan(waiting / 2);
});
