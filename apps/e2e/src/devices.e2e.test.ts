import { DeviceCrowd, until } from '@pushfleet/testing';
import { expectBalanced, Fleet, type DemoApp } from './fleet';

const DEVICES = 300;
const PUSHES = 10;

let fleet: Fleet;
let app: DemoApp;
let crowd: DeviceCrowd;

beforeAll(async () => {
  fleet = await Fleet.start(['own'], { LOGINS_PER_ADDRESS: '0' });
  await fleet.run('gateway');
  app = await fleet.createApp();
});

afterEach(() => crowd.stop());
afterAll(() => fleet.stop());

test('`pushfleet devices` registers, connects, drops, comes back and acknowledges, and its counts are those of the records', async () => {
  const args = ['--processes', '3', '--ack-share', '0.5', '--drop-every', '10'];
  crowd = DeviceCrowd.start({ ingressUrl: fleet.url('ingress'), app, count: DEVICES, args });
  await crowd.until(({ registered }) => registered === DEVICES);
  const pushIds: string[] = [];
  for (let n = 0; n < PUSHES; n += 1) pushIds.push((await fleet.push(app, { data: { alert: `no ${n}` } })).objectId);
  await crowd.until(({ received, reconnects }) => received === DEVICES * PUSHES && reconnects > DEVICES / 4);
  for (const pushId of pushIds) {
    await until(async () => (await fleet.record(app, pushId)).channels['own']?.delivered === DEVICES / 2);
    const record = await fleet.done(app, pushId);
    expectBalanced(record);
    expect(record).toMatchObject({ devices: DEVICES, successes: DEVICES / 2 });
  }
  const { messages, ...counts } = await crowd.stop();
  // Half of them acknowledge nothing, and get everything again whenever they come back.
  expect(counts).toMatchObject({ received: DEVICES * PUSHES, acked: (DEVICES * PUSHES) / 2 });
  expect(counts.duplicates).toBeGreaterThan(0);
  expect(messages).toEqual(Object.fromEntries(pushIds.map((id) => [id, { received: DEVICES, acked: DEVICES / 2 }])));
});

test('a wrong key ends the devices, and is not told to anybody', async () => {
  const wrong = { id: app.id, key: 'not-the-key-of-this-app' };
  crowd = DeviceCrowd.start({ ingressUrl: fleet.url('ingress'), app: wrong, count: 2 });
  const { failures, registered } = await crowd.left();
  expect([failures > 0, registered]).toEqual([true, 0]);
  expect(crowd.complaint).toContain('HTTP 401');
  expect(crowd.complaint).not.toContain(wrong.key);
});
