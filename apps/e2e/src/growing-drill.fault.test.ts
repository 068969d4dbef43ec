import { channels } from '@pushfleet/channels';
import { OWN_CHANNEL } from '@pushfleet/domain';
import { startRedisServer, until } from '@pushfleet/testing';
import { registerDevices } from './devices';
import { Fleet, type DemoApp } from './fleet';
import { AcceptedWork } from './testing/accepted-work';
import { SocketDevice } from './testing/socket-device';

/** "Growing without a stop" of docs/operate.md, with campaigns and messages under way all the time. */
const DEVICES = 4000;
const SOCKET = 'socket-0';
const CHANNELS = ['hms', OWN_CHANNEL];
/** For what is bound to come, on a machine that does much else. */
const PATIENCE = { timeoutMs: 120_000, everyMs: 100 };

let fleet: Fleet;
let app: DemoApp;
let work: AcceptedWork;
let device: SocketDevice;

beforeAll(async () => {
  fleet = new Fleet(await startRedisServer(), { INGRESS_PUBLIC_URL: 'https://push.example.com' }, 'separate');
  await fleet.run('simulator', { SIMULATOR_MESSAGES: '100000', SIMULATOR_DEVICES_PER_MESSAGE: '1000' });
  const endpoints = Object.values(channels).flatMap((channel) => Object.keys(channel.endpoints));
  for (const variable of endpoints) fleet.env[variable] = fleet.url('simulator');
  await fleet.run('fleet', { CHANNEL: CHANNELS.join() });
  app = await fleet.createApp();
  await registerDevices(fleet, app, DEVICES);
  await registerDevices(fleet, app, [{ installationId: SOCKET }]);
  device = new SocketDevice(fleet, app, SOCKET);
  await device.start();
  work = AcceptedWork.begin(fleet, app, { hms: DEVICES, own: 1 });
});

afterAll(async () => {
  await Promise.all([work?.stop(), device?.close()]);
  await fleet.stop();
});

interface Played {
  readonly role: string;
  readonly channel?: string;
}

/** Throws unless these roles are played within their time, each as often as it stands here. */
async function expectPlayed(roles: readonly string[]): Promise<void> {
  await until(async () => {
    const { results } = await fleet.admin<{ results: readonly Played[] }>('GET', '/processes');
    expect(results.map(({ role, channel }) => channel ?? role).sort()).toEqual([...roles].sort());
    return true;
  }, PATIENCE);
}

/** Whether a process has done jobs, of whatever queue. */
async function hasWorked(name: string): Promise<boolean> {
  const answer = await fetch(`${fleet.url(name, 'metrics')}/metrics`);
  return /^pushfleet_queue_job_runs_total\{[^}]*\} [1-9]/m.test(await answer.text());
}

/** A campaign of which some devices have their message, and others do not. */
async function campaignUnderWay(): Promise<void> {
  const pushId = await work.campaign();
  await until(async () => ((await fleet.record(app, pushId)).channels['hms']?.accepted ?? 0) > 0, PATIENCE);
}

/** The vendor tells whoever is the ingress now that everything it took so far has arrived; it has told of some before. */
async function reportArrivals(): Promise<void> {
  const { receiptUrl } = await fleet.admin<{ receiptUrl: string }>('GET', `/apps/${app.id}/profiles/hms/_default`);
  const url = new URL(new URL(receiptUrl).pathname, fleet.url('ingress')).href;
  const order = { channel: 'hms', kind: 'delivered', url };
  const { answers } = await fleet.simulator<{ answers: readonly number[] }>('POST', '/receipts', order);
  expect(new Set(answers)).toEqual(new Set([200]));
}

const expectDelivered = (pushId: string, count: number): Promise<unknown> =>
  until(async () => (await fleet.record(app, pushId)).channels['hms']?.delivered === count, PATIENCE);

const EVERY_ROLE = ['console', 'dispatcher', 'gateway', 'ingress', 'user-info', ...CHANNELS];
const BESIDE = ['dispatcher', 'worker-hms', 'worker-hms-2'];

test('one process plays every role', async () => {
  await expectPlayed(EVERY_ROLE);
  await campaignUnderWay();
  await until(() => hasWorked('fleet'), PATIENCE);
  await reportArrivals();
}, 600_000);

test('workers of a channel and a dispatcher come beside it, in the middle of a campaign, and take their share', async () => {
  await campaignUnderWay();
  await fleet.run('dispatcher');
  await fleet.runWorker('hms');
  await fleet.run('channel-worker', { CHANNEL: 'hms' }, 'worker-hms-2');
  await expectPlayed([...EVERY_ROLE, 'dispatcher', 'hms', 'hms']);
  // The one process may be first at every job of a campaign, but not for ever.
  for (const name of BESIDE)
    await until(async () => (await hasWorked(name)) || campaignUnderWay().then(() => false), PATIENCE);
  await reportArrivals();
}, 600_000);

test('every role gets a process, the address goes over, and the one process leaves in the middle of a campaign', async () => {
  await fleet.runWorker(OWN_CHANNEL);
  for (const role of ['gateway', 'console', 'user-info', 'ingress']) await fleet.run(role);
  await campaignUnderWay();
  await reportArrivals();
  const former = fleet.service('fleet');
  expect(await former.stop()).toBe(0);
  expect(former.output()).not.toMatch(/"level":"(error|fatal)"/);
  await fleet.retire('fleet');
  await expectPlayed([...EVERY_ROLE, 'hms']);
}, 600_000);

test('all of that has refused nothing, lost nothing, sent nothing twice, and counts every arrival once', async () => {
  await campaignUnderWay();
  await work.stop();
  const { campaigns, messages } = work.take();
  expect(work.refused).toBe(0);
  await work.expectReached({ campaigns, messages });
  expect(await fleet.traffic('hms')).toMatchObject({
    devices: campaigns.length * DEVICES + messages.length,
    distinctDevices: DEVICES,
    duplicates: 0,
  });
  await until(() => campaigns.every((pushId) => device.heard.has(pushId)), PATIENCE);
  await reportArrivals();
  for (const pushId of campaigns) await expectDelivered(pushId, DEVICES);
  for (const pushId of messages) await expectDelivered(pushId, 1);
}, 600_000);
