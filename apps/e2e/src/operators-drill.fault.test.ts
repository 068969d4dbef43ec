import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { channels } from '@pushfleet/channels';
import { startRedisProcess, until, type RedisProcessServer, type Service } from '@pushfleet/testing';
import { registerDevices } from './devices';
import { Fleet, type DemoApp } from './fleet';
import { AcceptedWork } from './testing/accepted-work';
import { documentExamples } from './testing/document-examples';
import { Operator } from './testing/operator';
import { PrometheusServer } from './testing/prometheus-server';
import { SocketDevice } from './testing/socket-device';

/** What docs/operate.md tells the operator to do, with campaigns and messages under way all the time. */
const DEVICES = 4000;
const SOCKET = 'socket-0';

const aKey = (): string => randomBytes(32).toString('base64');
const [OLD, NEW, WRONG] = [aKey(), aKey(), aKey()];

/** By the name that they have in the fleet, in the order of the document: ingress last. */
const ROLES = ['dispatcher', 'worker-hms', 'worker-own', 'gateway', 'console', 'user-info', 'ingress'] as const;
type Role = (typeof ROLES)[number];
const HOLDERS: readonly Role[] = ['worker-hms', 'worker-own', 'console', 'user-info', 'ingress'];

/** What these tell of has happened, however fast the machine is; alerts of age and of load depend on it. */
const ALERTS_OF_LOSS = [
  ...['DevicesFail', 'DiscardsRise', 'CredentialsRejected', 'SecretUnreadable', 'RecordImbalance'],
  ...['AnswersUnknown', 'PushesRefused'],
].join('|');
const OFTEN = { WATCH_INTERVAL_MS: '500', REDRIVE_AFTER_MS: '1500', REDRIVE_INTERVAL_MS: '300' };

let redis: RedisProcessServer;
let fleet: Fleet;
let app: DemoApp;
let work: AcceptedWork;
let device: SocketDevice;
let operator: Operator;
let prometheus: PrometheusServer;
/** What the doctor says of every fleet of tests. */
let usual: readonly string[];

beforeAll(async () => {
  redis = await startRedisProcess({ args: ['--maxmemory', '1gb'] });
  fleet = new Fleet(redis, { ...OFTEN, SECRET_KEY: OLD });
  const endpoints = Object.values(channels).flatMap((channel) => Object.keys(channel.endpoints));
  await fleet.open({ workers: ['hms', 'own'], endpoints });
  await Promise.all([fleet.run('gateway'), fleet.run('user-info')]);
  app = await fleet.createApp();
  await registerDevices(fleet, app, DEVICES);
  await registerDevices(fleet, app, [{ installationId: SOCKET }]);
  device = new SocketDevice(fleet, app, SOCKET);
  await device.start();
  prometheus = await PrometheusServer.start(scraped());
  operator = new Operator(fleet, redis.dir);
  usual = await operator.complaints();
  work = AcceptedWork.begin(fleet, app, { hms: DEVICES, own: 1 });
});

afterAll(async () => {
  await work?.stop();
  await device?.close();
  await prometheus?.close();
  await fleet.stop();
});

const scraped = () => [...fleet.running].map(([name, { urls }]) => ({ name, url: urls['metrics'] ?? '' }));

const start = (name: Role): Promise<Service> =>
  name.startsWith('worker-') ? fleet.runWorker(name.slice('worker-'.length)) : fleet.run(name);

/** One after the other: the next is ready before the one before it leaves. */
async function rollingRestart(names: readonly Role[], keys: Readonly<Record<string, string>> = {}): Promise<void> {
  Object.assign(fleet.env, keys);
  for (const name of names) {
    const former = fleet.service(name);
    await start(name);
    await prometheus.scrape(scraped());
    await former.stop();
  }
}

/** What the doctor says beside the usual. */
const complaints = async (): Promise<readonly string[]> =>
  (await operator.complaints()).filter((complaint) => !usual.includes(complaint));

const isFiring = async (alert: string): Promise<boolean> =>
  (await prometheus.alerts()).some(({ state, labels }) => state === 'firing' && labels['alertname'] === alert);

async function readiness({ urls }: Service): Promise<object> {
  const answer = await fetch(`${urls['metrics'] ?? ''}/readyz`);
  return { status: answer.status, ...((await answer.json()) as { failures?: object }).failures };
}

test('SECRET_KEY is replaced once no process is left out, and one that comes back later serves nobody', async () => {
  await work.campaign();
  await rollingRestart(HOLDERS, { SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD });
  expect(await complaints()).toEqual(['secret-key warning']);
  const left = await fleet.run('user-info', { SECRET_KEY: OLD, SECRET_KEY_PREVIOUS: '' }, 'left-out');
  expect(await readiness(left)).toEqual({ status: 200 });
  await expect(operator.type('pushfleet secrets reseal')).rejects.toThrow('user-info');
  expect(await readiness(left)).toEqual({ status: 200 });
  // One that stands still for so long counts as gone, and comes back.
  process.kill(left.pid, 'SIGSTOP');
  await until(() => operator.type('pushfleet secrets reseal || true'), { timeoutMs: 60_000, everyMs: 1000 });
  process.kill(left.pid, 'SIGCONT');
  const status = JSON.parse(await operator.type('pushfleet secrets status --json')) as object;
  expect(status).toMatchObject({ stale: 0, unreadable: 0 });
  expect(await readiness(left)).toEqual({ status: 503, 'secret-key': expect.stringContaining('opens nothing') });
  await fleet.retire('left-out');
  await work.campaign();
  await rollingRestart(HOLDERS, { SECRET_KEY_PREVIOUS: '' });
  await until(async () => (await complaints()).length === 0, { timeoutMs: 120_000, everyMs: 500 });
}, 600_000);

test('every role is replaced, one process after the other', async () => {
  await work.campaign();
  await rollingRestart(ROLES);
  await until(async () => (await complaints()).length === 0, { timeoutMs: 120_000, everyMs: 500 });
}, 600_000);

interface Channel {
  readonly channel: string;
  readonly consumers: number;
  readonly controls: readonly { readonly state: string }[];
}

const stateOf = async (name: string): Promise<Pick<Channel, 'consumers'> & { readonly state?: string | undefined }> => {
  const { results } = JSON.parse(await operator.type('pushfleet channels list --json')) as {
    results: readonly Channel[];
  };
  const { consumers = 0, controls = [] } = results.find(({ channel }) => channel === name) ?? {};
  return { consumers, state: controls[0]?.state };
};

test('a channel is paused, drained and resumed; the doctor and an alert tell of it until it is over', async () => {
  const before = await work.campaign();
  await operator.type('pushfleet channels pause hms');
  expect(await complaints()).toEqual(['channel-decisions hms warning']);
  await until(() => isFiring('PushfleetChannelPaused'), { timeoutMs: 120_000, everyMs: 250 });
  await operator.type('pushfleet channels drain hms');
  const later = await work.campaign();
  expect((await fleet.done(app, before, 120_000)).channels['hms']).toMatchObject({ accepted: DEVICES });
  await until(async () => (await stateOf('hms')).state === 'paused', { timeoutMs: 120_000, everyMs: 500 });
  expect(await fleet.record(app, later)).toMatchObject({ status: 'in-queue', channels: { hms: { accepted: 0 } } });
  await operator.type('pushfleet channels resume hms');
  expect(await complaints()).toEqual([]);
  await until(async () => !(await isFiring('PushfleetChannelPaused')), { timeoutMs: 120_000, everyMs: 250 });
}, 600_000);

test('a channel gets more workers, and fewer again', async () => {
  const more = ['worker-hms-2', 'worker-hms-3'];
  await work.campaign();
  await Promise.all(more.map((name) => fleet.run('channel-worker', { CHANNEL: 'hms' }, name)));
  await until(async () => (await stateOf('hms')).consumers === 3, { timeoutMs: 120_000, everyMs: 500 });
  await work.campaign();
  await Promise.all(more.map((name) => fleet.retire(name)));
  await until(async () => (await stateOf('hms')).consumers === 1, { timeoutMs: 120_000, everyMs: 500 });
  expect(await complaints()).toEqual([]);
}, 600_000);

test('all of that has lost nothing, sent nothing twice, and rung no alert of a loss', async () => {
  await work.campaign();
  const { campaigns, messages } = work.take();
  expect(messages.length).toBeGreaterThan(20);
  await work.expectReached({ campaigns, messages });
  expect((await fleet.traffic('hms')).duplicates).toBe(0);
  await until(() => campaigns.every((pushId) => device.heard.has(pushId)), { timeoutMs: 120_000 });
  const rung = (names: string) => prometheus.query(`ALERTS{alertname=~"Pushfleet(${names})"}[1h]`);
  expect(await rung('ChannelPaused')).not.toEqual([]);
  expect(await rung(ALERTS_OF_LOSS)).toEqual([]);
}, 600_000);

const [BACKUP = '', RESTORE = ''] = documentExamples.get('docs/operate.md') ?? [];

/** The commands of the document, for the port and the folder of this Redis. */
function atThisRedis(text: string): string {
  const { port } = new URL(redis.url);
  const backup = join(redis.dir, 'backup.rdb');
  return [
    `redis-cli() { command redis-cli -p ${port} "$@"; }`,
    `redis-server() { command redis-server --port ${port} "$@" > /dev/null; }`,
    text.replaceAll('/backup.rdb', backup),
  ].join('\n');
}

test('a backup brings back what was accepted before it, and repeats at most what was sent after it', async () => {
  const campaign = await work.campaign();
  await until(async () => ((await fleet.record(app, campaign)).channels['hms']?.accepted ?? 0) > 0, {
    timeoutMs: 120_000,
  });
  const kept = work.take();
  const { devices: sentBefore } = await fleet.traffic('hms');
  await operator.type(atThisRedis(BACKUP));
  await work.campaign();
  await work.stop();
  const all = [...fleet.running].filter(([name]) => name !== 'simulator');
  await Promise.all(all.map(([, service]) => service.stop()));
  const { devices: sentByThen } = await fleet.traffic('hms');

  await redis.stop();
  await operator.type(atThisRedis(RESTORE));
  await redis.start();
  for (const name of ROLES) await start(name);
  await prometheus.scrape(scraped());

  await work.expectReached(kept);
  expect((await fleet.traffic('hms')).duplicates).toBeLessThanOrEqual(sentByThen - sentBefore);
  await until(() => kept.campaigns.every((pushId) => device.heard.has(pushId)), { timeoutMs: 120_000 });
  await until(async () => (await complaints()).length === 0, { timeoutMs: 120_000, everyMs: 500 });
  const { channels: books } = await fleet.done(app, (await fleet.push(app, { data: { alert: 'go on' } })).objectId);
  expect(books['hms']).toMatchObject({ accepted: DEVICES });
}, 600_000);

test.each(['ingress', 'console', 'worker-hms'] as const)(
  '%s does not start with a key that opens nothing, and says so in one line',
  async (name) => {
    const [service, extra] = name === 'worker-hms' ? ['channel-worker', { CHANNEL: 'hms' }] : [name, {}];
    for (const key of [WRONG, OLD]) {
      const started = fleet.run(service, { ...extra, SECRET_KEY: key }, 'wrong');
      await expect(started).rejects.toThrow(/SECRET_KEY: opens nothing of this fleet[^\n]*\n?$/);
    }
  },
);
