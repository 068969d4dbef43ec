import { DeviceCrowd, until } from '@pushfleet/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { expectBalanced, Fleet, type DemoApp } from './fleet';
import { faultRandom } from './fault-random';

const DEVICES = 5000;
const ACKNOWLEDGING = 4500;
/** What the fleet promises about a gateway that died. */
const DEAD_NODE_GONE_MS = 30_000;

const random = faultRandom();
let fleet: Fleet;
let app: DemoApp;
let crowd: DeviceCrowd;

beforeAll(async () => {
  fleet = await Fleet.start(['own'], { LOGINS_PER_ADDRESS: '0', CONNECTIONS_PER_ADDRESS: '0' });
  await Promise.all(['gateway-0', 'gateway-1'].map((name) => fleet.run('gateway', {}, name)));
  app = await fleet.createApp();
  const args = ['--ack-share', String(ACKNOWLEDGING / DEVICES), '--processes', '2'];
  crowd = DeviceCrowd.start({ ingressUrl: fleet.url('ingress'), app, count: DEVICES, args });
  await crowd.until(({ connected }) => connected === DEVICES, 90_000);
});

afterAll(async () => {
  await crowd?.stop();
  await fleet.stop();
});

const pushToAll = async (alert: string): Promise<string> => (await fleet.push(app, { data: { alert } })).objectId;

const routed = async (): Promise<readonly string[]> => {
  const answer = await fetch(`${fleet.url('ingress')}/v1/route?appId=${app.id}`);
  return Object.values((await answer.json()) as Record<string, unknown>).map(String);
};

test(`a gateway killed during a push to ${DEVICES} devices loses nothing, and nothing is booked that did not arrive (seed ${random.seed})`, async () => {
  const dead = fleet.url('gateway-0', 'gateway');
  const pushIds = [await pushToAll('while it dies')];
  await delay(random.between(0, 200));
  await fleet.kill('gateway-0');
  // From the kill on, however long thousands of devices take to come back on a busy machine.
  const forgotten = until(async () => !(await routed()).includes(dead), { timeoutMs: DEAD_NODE_GONE_MS, everyMs: 200 });
  forgotten.catch(() => undefined);
  pushIds.push(await pushToAll('while it is dead'));

  const after = await crowd.until(
    ({ connected, received }) => connected === DEVICES && received === pushIds.length * DEVICES,
  );
  expect(after.reconnects).toBeGreaterThan(DEVICES / 4);

  for (const pushId of pushIds) {
    await until(async () => (await fleet.record(app, pushId)).channels['own']?.delivered === ACKNOWLEDGING);
    const record = await fleet.done(app, pushId);
    expectBalanced(record);
    expect(record.channels['own']).toMatchObject({ accepted: DEVICES, delivered: ACKNOWLEDGING, lapsed: 0 });
  }

  await forgotten;

  const { messages } = await crowd.stop();
  for (const pushId of pushIds) expect(messages[pushId]).toEqual({ received: DEVICES, acked: ACKNOWLEDGING });
});
