import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@pushfleet/testing';
import { expectBalanced, Fleet, type DemoApp } from './fleet';
import { SocketDevice } from './testing/socket-device';

const DEVICES = 200;
const ROUNDS = 4;
const PUSHES = 10;

let fleet: Fleet;
let app: DemoApp;
let devices: readonly SocketDevice[] = [];

beforeAll(async () => {
  fleet = await Fleet.start(['own'], { LOGINS_PER_ADDRESS: '0' });
  await fleet.run('gateway', {}, 'gateway-0');
  await fleet.run('gateway', {}, 'gateway-1');
  app = await fleet.createApp();
  devices = Array.from({ length: DEVICES }, (_, n) => new SocketDevice(fleet, app, `device-${n}`));
  for (let n = 0; n < DEVICES; n += 1) {
    const installationId = `device-${n}`;
    await fleet.call(app, ['POST', '/installations'], { deviceType: 'android', installationId });
  }
  await Promise.all(devices.map((device) => device.start()));
});

afterAll(async () => {
  await Promise.all(devices.map((device) => device.close()));
  await fleet.stop();
});

const everyoneHas = (pushIds: readonly string[]): boolean =>
  devices.every(({ heard }) => pushIds.every((id) => heard.has(id)));

test(`gateways killed during pushes lose no message for any of ${DEVICES} devices, and every push adds up`, async () => {
  const sent: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const name = `gateway-${round % 2}`;
    for (let n = 0; n < PUSHES; n += 1) {
      const { objectId } = await fleet.push(app, { data: { alert: `round ${round}, push ${n}` } });
      sent.push(objectId);
      await delay(Math.random() * 40);
      if (n === PUSHES / 2) await fleet.kill(name);
    }
    await fleet.run('gateway', {}, name);
    await until(() => everyoneHas(sent), { everyMs: 50 });
  }
  for (const pushId of sent) {
    await until(async () => (await fleet.record(app, pushId)).channels['own']?.delivered === DEVICES);
    const record = await fleet.done(app, pushId);
    expectBalanced(record);
    expect(record.channels['own']).toMatchObject({ accepted: DEVICES, delivered: DEVICES, lapsed: 0 });
  }
}, 300_000);
