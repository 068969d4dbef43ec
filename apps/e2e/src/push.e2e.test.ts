import { channelNames, channels } from '@pushfleet/channels';
import { expectBalanced, Fleet, type DemoApp } from './fleet';

let fleet: Fleet;
let app: DemoApp;

beforeAll(async () => {
  ({ fleet, app } = await Fleet.withApp());
  for (const name of channelNames) {
    for (const registrationId of [`alive-${name}`, `gone-${name}`]) {
      const installationId = `installation-${registrationId}`;
      await fleet.call(app, ['POST', '/installations'], {
        deviceType: 'android',
        installationId,
        vendor: channels[name].vendor,
        registrationId,
        channels: ['news'],
      });
    }
  }
  await fleet.call(app, ['POST', '/installations'], { deviceType: 'android', installationId: 'without-vendor' });
});

afterAll(() => fleet.stop());

test('a push to everybody reaches the living device of every vendor and says why the others got nothing', async () => {
  const { objectId } = await fleet.push(app, { data: { alert: 'Hello', title: 'Greeting', order: 7 } });
  const record = await fleet.done(app, objectId);
  expectBalanced(record);
  expect(record).toMatchObject({ devices: 13, successes: 6 });
  for (const name of channelNames) {
    expect([name, record.channels[name]]).toEqual([
      name,
      expect.objectContaining({ matched: 2, accepted: 1, discarded: { 'registration-gone': 1 } }),
    ]);
  }
  // It waits in the mailbox of a device that has never connected.
  expect(record.channels['own']).toMatchObject({ matched: 1, accepted: 1, delivered: 0, discarded: {} });
});

test('a silent push is discarded where the vendor has no pass-through and delivered elsewhere', async () => {
  const { objectId } = await fleet.push(app, {
    where: { installationId: { $in: channelNames.map((name) => `installation-alive-${name}`) } },
    data: { silent: true, k: 1 },
  });
  const record = await fleet.done(app, objectId);
  expectBalanced(record);
  for (const name of channelNames) {
    const { passThrough } = channels[name].capabilities;
    expect([name, record.channels[name]]).toEqual([
      name,
      expect.objectContaining(
        passThrough ? { accepted: 1, discarded: {} } : { accepted: 0, discarded: { 'silent-unsupported': 1 } },
      ),
    ]);
  }
  expect(record.errors).toContainEqual(
    expect.objectContaining({ channel: 'oppo', reason: 'silent-unsupported', count: 1 }),
  );
});

test('a push by channels reaches subscribers only', async () => {
  const { objectId } = await fleet.push(app, { channels: ['nobody'], data: { alert: 'x' } });
  expect(await fleet.done(app, objectId)).toMatchObject({ devices: 0, successes: 0 });
});
