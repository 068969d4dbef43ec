import { until } from '@pushfleet/testing';
import { expectBalanced, Fleet, type DemoApp } from './fleet';
import { RealtimeDevice } from './testing/realtime-client';

let fleet: Fleet;
let app: DemoApp;
const devices: RealtimeDevice[] = [];

beforeAll(async () => {
  ({ fleet, app } = await Fleet.withApp(['mi', 'own']));
  await fleet.run('gateway');
});

afterAll(() => fleet.stop());

afterEach(() => devices.splice(0).forEach((device) => device.close()));

const connect = async (installationId: string): Promise<RealtimeDevice> => {
  const device = await RealtimeDevice.connect(fleet, app, installationId);
  devices.push(device);
  await device.login();
  return device;
};

const save = (installationId: string, fields: object = {}): Promise<{ objectId: string }> =>
  fleet.call(app, ['POST', '/installations'], { deviceType: 'android', installationId, ...fields });

const pushTo = async (installationId: string, push: object = {}): Promise<string> => {
  const where = { installationId };
  const { objectId } = await fleet.push(app, { where, data: { alert: 'Hello', title: 'Greeting', k: 1 }, ...push });
  return objectId;
};

const ownBooks = async (pushId: string) => (await fleet.record(app, pushId)).channels['own'];

describe('the unmodified JavaScript client', () => {
  test('gets a push on its open connection, and its acknowledgement is what counts as success', async () => {
    await save('online');
    const device = await connect('online');
    const pushId = await pushTo('online');
    expect(await device.received(pushId)).toEqual({
      ...{ alert: 'Hello', title: 'Greeting', k: 1 },
      _expiration_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const before = await fleet.done(app, pushId);
    expectBalanced(before);
    expect(before).toMatchObject({ devices: 1, successes: 0, lcSuccesses: 0 });
    expect(before.channels['own']).toMatchObject({ matched: 1, accepted: 1, delivered: 0 });
    await device.ack([pushId]);
    await until(async () => (await ownBooks(pushId))?.delivered === 1);
    expect(await fleet.record(app, pushId)).toMatchObject({ successes: 1, lcSuccesses: 1 });
  });

  test('gets what waited for it, and again until it acknowledges', async () => {
    await save('offline');
    const pushIds: string[] = [];
    // One after the other: pushes that are sent at the same time reach a mailbox in any order.
    for (let i = 0; i < 2; i += 1) {
      const pushId = await pushTo('offline');
      await fleet.done(app, pushId);
      pushIds.push(pushId);
    }
    const first = await connect('offline');
    await first.received(pushIds[1] ?? '');
    expect(first.ids).toEqual(pushIds);
    await first.ack([pushIds[0] ?? '']);
    await until(async () => (await ownBooks(pushIds[0] ?? ''))?.delivered === 1);
    first.close();
    const second = await connect('offline');
    await second.received(pushIds[1] ?? '');
    expect(second.ids).toEqual([pushIds[1]]);
  });

  test('comes back by itself when its gateway is killed, and gets what it missed', async () => {
    await save('survivor');
    const device = await connect('survivor');
    const unacknowledged = await pushTo('survivor');
    await device.received(unacknowledged);
    const port = new URL(fleet.url('gateway')).port;
    await fleet.service('gateway').stop('SIGKILL');
    const reconnected = device.reconnected();
    const restart = (): Promise<unknown> => fleet.run('gateway', { GATEWAY_PORT: port });
    // Nobody would take the push while the one process is away.
    if (fleet.isOneProcess) await restart();
    const missed = await pushTo('survivor');
    if (!fleet.isOneProcess) await restart();
    await reconnected;
    await device.login();
    await device.received(missed);
    expect(device.ids).toEqual([unacknowledged, unacknowledged, missed]);
  });

  test('may log in before its installation exists', async () => {
    const device = await connect('early');
    await save('early');
    await device.received(await pushTo('early'));
  });

  test('a device that leaves its vendor is reached on the socket, and before that it is not', async () => {
    const { objectId } = await save('mover', { vendor: 'mi', registrationId: 'alive-mover' });
    const device = await connect('mover');
    const viaVendor = await pushTo('mover');
    expect((await fleet.done(app, viaVendor)).channels).toMatchObject({ mi: { accepted: 1 } });
    await fleet.call(app, ['PUT', `/installations/${objectId}`], { vendor: 'lc' });
    const viaSocket = await pushTo('mover');
    await device.received(viaSocket);
    expect(device.ids).toEqual([viaSocket]);
  });

  test('an expired message is not sent from the mailbox', async () => {
    await save('late');
    const brief = await pushTo('late', { expiration_interval: 5 });
    await fleet.done(app, brief);
    const lasting = await pushTo('late');
    await fleet.done(app, lasting);
    await until(async () => (await ownBooks(brief))?.lapsed === 1);
    const device = await connect('late');
    await device.received(lasting);
    expect(device.ids).toEqual([lasting]);
  });

  test('the message names the one channel of its push and the notification channel', async () => {
    await save('subscriber', { channels: ['news'] });
    const device = await connect('subscriber');
    const body = { channels: ['news'], data: { alert: 'x' }, _notificationChannel: 'important' };
    const { objectId } = await fleet.push(app, body);
    expect(await device.received(objectId)).toMatchObject({ _channel: 'news', _notificationChannel: 'important' });
  });

  test('a silent push and the android section arrive as they are', async () => {
    await save('silent');
    const device = await connect('silent');
    const data = { silent: true, action: 'com.example.DO', android: { alert: 'for android', extra: { a: 1 } }, mi: {} };
    const message = await device.received(await pushTo('silent', { data }));
    expect(message).toMatchObject({ silent: true, action: 'com.example.DO', alert: 'for android', extra: { a: 1 } });
    expect(Object.keys(message)).not.toEqual(expect.arrayContaining(['android']));
    expect(message).not.toHaveProperty('mi');
  });
});

test('with the hybrid switch off, devices of every vendor are reached on the socket', async () => {
  const other = await fleet.createApp({ hybrid: false });
  for (const [installationId, vendor] of [
    ['plain', undefined],
    ['huawei', 'HMS'],
    ['xiaomi', 'mi'],
  ] as const) {
    const registration = vendor === undefined ? {} : { vendor, registrationId: `r-${installationId}` };
    await fleet.call(other, ['POST', '/installations'], { deviceType: 'android', installationId, ...registration });
  }
  const online = await RealtimeDevice.connect(fleet, other, 'huawei');
  devices.push(online);
  await online.login();
  const { objectId } = await fleet.push(other, { data: { alert: 'x' } });
  await online.received(objectId);
  const record = await fleet.done(other, objectId);
  expectBalanced(record);
  expect(Object.keys(record.channels)).toEqual(['own']);
  expect(record.channels['own']).toMatchObject({ matched: 3, accepted: 3 });
});

test('no answer of the router holds a null', async () => {
  const answer = await fetch(`${fleet.url('ingress')}/v1/route?appId=${app.id}&installationId=x&secure=1`);
  const text = await answer.text();
  expect([answer.status, text.includes('null')]).toEqual([200, false]);
  const { server, secondary, ttl } = JSON.parse(text) as Record<string, unknown>;
  expect([server, secondary]).toEqual([expect.stringMatching(/^ws:/), expect.stringMatching(/^ws:/)]);
  expect(Number.isInteger(ttl)).toBe(true);
});
