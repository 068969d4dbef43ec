import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { channels } from '@pushfleet/channels';
import { simulatorProfiles } from '@pushfleet/channels/simulators';
import { PAGE_DEVICES } from '@pushfleet/domain';
import { repeat, type Repeated } from '@pushfleet/service-kit';
import { openStore } from '@pushfleet/store';
import {
  connectTestRedis,
  mastersOf,
  openAuthority,
  until,
  type Authority,
  type IssuedCertificate,
} from '@pushfleet/testing';
import { parse, stringify } from 'yaml';
import { registerDevices } from './devices';
import { expectBalanced, Fleet, type DemoApp } from './fleet';
import { dashboardQueries } from './testing/dashboard-queries';
import type { RuleFile } from './testing/hasten-rules';
import { notStarted, PrometheusServer } from './testing/prometheus-server';
import { SeenQueries } from './testing/seen-queries';
import { SocketDevice } from './testing/socket-device';
import { SteadyLoad } from './testing/steady-load';

const INFRA = join(__dirname, '../../../infra/prometheus');
const TESTS = ['alerts.test.yml', 'alerts-by-day.test.yml'].map((name) => join(INFRA, 'tests', name));
const promtool = (...args: readonly string[]): Promise<unknown> =>
  promisify(execFile)('promtool', [...args]).catch((error: NodeJS.ErrnoException & { stdout?: string }) => {
    throw error.code === 'ENOENT' ? notStarted(error) : new Error(`${error.message}\n${error.stdout ?? ''}`);
  });

const { groups } = parse(readFileSync(join(INFRA, 'rules/alerts.yml'), 'utf8')) as RuleFile;
const alertRules = groups.flatMap(({ rules }) => rules);

describe('the files of infra/prometheus', () => {
  test('are accepted by Prometheus', async () => {
    await promtool('check', 'rules', join(INFRA, 'rules/recording.yml'), join(INFRA, 'rules/alerts.yml'));
    await promtool('check', 'config', join(INFRA, 'prometheus.yml'));
  });

  test('find processes in Kubernetes in a way that Prometheus accepts, as far as its build knows Kubernetes', async () => {
    const config = parse(readFileSync(join(INFRA, 'prometheus-kubernetes.yml'), 'utf8')) as Record<string, unknown> & {
      scrape_configs: readonly { kubernetes_sd_configs: unknown }[];
    };
    const [{ kubernetes_sd_configs: found, ...scrape } = { kubernetes_sd_configs: undefined }, ...more] =
      config.scrape_configs;
    expect([found, more]).toEqual([[{ role: 'pod' }], []]);
    // Distributions leave the discovery out of their builds.
    const dir = await mkdtemp(join(tmpdir(), 'pushfleet-promtool-'));
    const file = join(dir, 'prometheus.yml');
    await writeFile(
      file,
      stringify({ ...config, rule_files: [], scrape_configs: [{ ...scrape, static_configs: [] }] }),
    );
    await promtool('check', 'config', file).finally(() => rm(dir, { recursive: true }));
  });

  test('are named by what the guide tells a Prometheus of one process, and of its Alertmanager', async () => {
    const guide = readFileSync(join(INFRA, '../../docs/operate.md'), 'utf8');
    const [section = ''] = guide.split('\n## ').filter((part) => part.startsWith('Who hears of an alert'));
    const parts = [...section.matchAll(/^```\n([^]*?)^```$/gm)].map(([, part = '']) => part);
    const config = parts.join('').replace('/opt/pushfleet/infra/prometheus', INFRA);
    expect(Object.keys(parse(config) as object).sort()).toEqual(['alerting', 'rule_files', 'scrape_configs']);
    const dir = await mkdtemp(join(tmpdir(), 'pushfleet-promtool-'));
    const file = join(dir, 'prometheus.yml');
    await writeFile(file, config);
    await promtool('check', 'config', file).finally(() => rm(dir, { recursive: true }));
  });

  test('fire what must fire and nothing else, in the cases beside them', () => promtool('test', 'rules', ...TESTS));

  test('test every alert', () => {
    const tested = TESTS.map((file) => readFileSync(file, 'utf8')).join('');
    expect(alertRules.filter(({ alert }) => !tested.includes(`alertname: ${alert}\n`))).toEqual([]);
  });

  test('name for every alert a runbook that exists', () => {
    const headings = readFileSync(join(INFRA, '../../docs/operate.md'), 'utf8').match(/^### .+$/gm) ?? [];
    const anchors = new Set(headings.map((heading) => `docs/operate.md#${heading.slice(4).toLowerCase()}`));
    expect(alertRules.filter(({ annotations }) => !anchors.has(annotations?.['runbook'] ?? ''))).toEqual([]);
  });
});

const WORKERS = ['hms', 'mi', 'own'];
/** Speaks TLS. */
const SEALED = 'ingress-tls';
const PROCESSES = [
  'ingress',
  SEALED,
  'dispatcher',
  'console',
  'simulator',
  'gateway',
  'user-info',
  ...WORKERS.map(workerOf),
];
const SOCKETS = 25;
const DROPPED = 15;
const BEHIND_A_PAGE = 200;
const ARRIVED_YESTERDAY = { name: 'channel:pushfleet_delivered:ratio_rate6h', labels: 'channel="mi"', value: 0.9 };
/** Its vendor fails, and it has a device that is gone and an app with wrong credentials. */
const CHANNEL = 'hms';

const SETTINGS = {
  WATCH_INTERVAL_MS: '500',
  REDRIVE_INTERVAL_MS: '500',
  REDRIVE_AFTER_MS: '1000',
  LOGIN_TIMEOUT_MS: '3000',
  LOGINS_PER_ADDRESS: '0',
  MAC_FAILURES_PER_ADDRESS: '1000000',
  MAC_FAILURES_PER_TOKEN: '1000000',
  USER_INFO_PORT: '0',
};

function workerOf(channel: string): string {
  return `worker-${channel}`;
}

let authority: Authority;
let shown: IssuedCertificate;
let fleet: Fleet;
let app: DemoApp;
/** Has more devices than one page. */
let crowd: DemoApp;
let redis: Awaited<ReturnType<typeof connectTestRedis>>;
let prometheus: PrometheusServer;
let load: SteadyLoad;
let seen: SeenQueries;
let sockets: readonly SocketDevice[];

beforeAll(async () => {
  fleet = await Fleet.start(WORKERS, SETTINGS);
  authority = await openAuthority();
  shown = await authority.issue('shown', { days: 60 });
  const files = { TLS_CERT_FILE: shown.certFile, TLS_KEY_FILE: shown.keyFile };
  await Promise.all([fleet.run('gateway'), fleet.run('user-info'), fleet.run('ingress', files, SEALED)]);
  redis = await connectTestRedis(fleet.redis.url);
  app = await fleet.createApp();
  await register(app);
  crowd = await fleet.createApp();
  await registerDevices(fleet, crowd, Array.from({ length: PAGE_DEVICES + BEHIND_A_PAGE }, crowdDevice));
  sockets = Array.from({ length: SOCKETS }, (_, i) => new SocketDevice(fleet, app, `socket-${i}`));
  load = new SteadyLoad(fleet, app, ['hms-1', 'mi-1', 'socket-1']);
  load.start();
  const scraped = PROCESSES.map((name) => ({ name, url: fleet.url(name, 'metrics') }));
  prometheus = await PrometheusServer.start(scraped, [ARRIVED_YESTERDAY]);
  seen = new SeenQueries(prometheus, dashboardQueries({ channel: CHANNEL }));
  seen.start();
  await Promise.all(sockets.map((socket) => socket.start()));
});

afterAll(async () => {
  await load?.stop();
  await seen?.stop();
  await Promise.all((sockets ?? []).map((socket) => socket.close()));
  await prometheus?.close();
  redis?.disconnect();
  await fleet?.stop();
  await authority?.close();
});

async function register({ id, key, masterKey }: DemoApp): Promise<void> {
  const save = (fields: object) =>
    fleet.call({ id, key, masterKey }, ['POST', '/installations'], { deviceType: 'android', ...fields });
  for (const { name, vendor } of [channels.hms, channels.mi]) {
    for (let i = 1; i <= 5; i += 1)
      await save({ installationId: `${name}-${i}`, vendor, registrationId: `alive-${name}-${i}` });
  }
  for (let i = 0; i < SOCKETS; i += 1) await save({ installationId: `socket-${i}` });
}

const crowdDevice = (_: unknown, n: number) => ({
  installationId: `crowd-${n}`,
  vendor: channels.mi.vendor,
  registrationId: `alive-crowd-${n}`,
});

/** Something goes wrong, an alert tells, and then it is put right. */
interface Trouble {
  readonly alert: string;
  readonly labels?: Readonly<Record<string, string>>;
  make(): unknown;
  mend(): unknown;
}

const nothing = (): void => undefined;
const onEveryNode = (...setting: readonly [string, string]) =>
  Promise.all(mastersOf(redis).map((node) => node.config('SET', ...setting)));

/** The metrics of a process that comes back are where Prometheus looks for them. */
async function restart(name: string, app: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const port = new URL(fleet.url(name, 'metrics')).port;
  await fleet.run(app, { ...env, METRICS_PORT: port }, name);
}
const stop = (name: string) => fleet.service(name).stop('SIGKILL');

function badCredentials(): Trouble {
  let stranger: DemoApp;
  return {
    alert: 'PushfleetCredentialsRejected',
    labels: { channel: 'hms' },
    async make() {
      stranger = await fleet.createApp();
      const wrong = { ...simulatorProfiles.hms, appSecret: 'wrong' };
      await fleet.admin('PUT', `/apps/${stranger.id}/profiles/hms/_default`, wrong);
      await register(stranger);
      await fleet.push(stranger, { where: { installationId: 'hms-1' }, data: { alert: 'x' } });
    },
    mend: () => fleet.admin('PUT', `/apps/${stranger.id}/profiles/hms/_default`, simulatorProfiles.hms),
  };
}

/** What a worker cannot open waits, until what was sealed for its place is back. */
function spoiltCredentials(): Trouble {
  let [key, sealed] = ['', ''];
  return {
    alert: 'PushfleetSecretUnreadable',
    labels: { channel: 'mi' },
    async make() {
      const stranger = await fleet.createApp();
      await register(stranger);
      key = `pushfleet:profiles:{${stranger.id}}`;
      sealed = (await redis.hget(key, 'mi/_default')) ?? '';
      await redis.hset(key, 'mi/_default', sealed.replace(/.{4}$/, 'AAAA'));
      await fleet.push(stranger, { where: { installationId: 'mi-1' }, data: { alert: 'x' } });
    },
    mend: () => redis.hset(key, 'mi/_default', sealed),
  };
}

/** A job may have the name of its push. */
async function recordKey(pushId: string): Promise<string> {
  const found = await Promise.all(mastersOf(redis).map((node) => node.keys(`*:p:{p:*}:${pushId}`)));
  const [key = ''] = found.flat();
  return key;
}

/** The page that meets a code of no table is lost; the rest of its push waits for somebody to put that right. */
function unknownAnswers(): Trouble {
  const alert = 'rare-words';
  let pushId = '';
  return {
    alert: 'PushfleetAnswersUnknown',
    labels: { channel: 'mi' },
    async make() {
      const answer = { status: 200, body: JSON.stringify({ result: 'error', code: 99_999, reason: 'rare' }) };
      await fleet.simulator('PUT', '/faults', { channel: 'mi', kind: 'answer', body: alert, answer });
      pushId = (await fleet.push(crowd, { data: { alert } })).objectId;
    },
    async mend() {
      const waiting = [{ channel: 'mi', profile: '_default', reason: 'unrecognised-answer', devices: BEHIND_A_PAGE }];
      const isHeld = async (): Promise<boolean> => {
        expect(await fleet.record(crowd, pushId)).toMatchObject({ waiting });
        return true;
      };
      await until(isHeld);
      await fleet.simulator('DELETE', '/faults?channel=mi');
      await fleet.admin('POST', '/channels/mi/resume', { app: crowd.id });
      const record = await fleet.done(crowd, pushId);
      expectBalanced(record);
      const failed = { 'unrecognised-answer': PAGE_DEVICES };
      expect(record.channels['mi']).toMatchObject({ accepted: BEHIND_A_PAGE, failed });
    },
  };
}

function wrongBooks(): Trouble {
  const change = async (by: number): Promise<void> => void (await redis.hincrby(key, 'c|mi|accepted', by));
  let key = '';
  return {
    alert: 'PushfleetRecordImbalance',
    async make() {
      const { objectId } = await fleet.push(app, { where: { installationId: 'mi-1' }, data: { alert: 'x' } });
      await fleet.done(app, objectId);
      key = await recordKey(objectId);
      await change(1);
    },
    mend: () => change(-1),
  };
}

/** A list of an app that nobody else uses: it can neither be read nor written. */
function spoilt(
  list: string,
  trouble: Pick<Trouble, 'alert' | 'labels'>,
  then?: (app: DemoApp) => Promise<unknown>,
): Trouble {
  let key = '';
  return {
    ...trouble,
    async make() {
      const stranger = await fleet.createApp();
      key = `pushfleet:${list}:{${stranger.id}}`;
      await redis.set(key, 'no list');
      await then?.(stranger);
    },
    mend: () => redis.del(key),
  };
}

/** Outcomes that cannot be written fail the job of their push, each time that the re-driver brings it back. */
const spoiltOutcomes = (): Trouble =>
  spoilt('outcomes', { alert: 'PushfleetJobsFail', labels: { queue: 'push-requests' } }, (stranger) =>
    fleet.push(stranger, { data: { alert: 'x' } }),
  );

/** A list of pushes that cannot be read keeps the watcher from one app, and not from the others. */
const spoiltPushes = (): Trouble => spoilt('pushes', { alert: 'PushfleetUpkeepFails', labels: { kind: 'watch' } });

const vendorDown = (): readonly Trouble[] => [
  {
    alert: 'PushfleetVendorDown',
    labels: { channel: 'hms' },
    make: () => fleet.simulator('PUT', '/faults', { channel: 'hms', kind: 'http-5xx' }),
    mend: () => fleet.simulator('DELETE', '/faults'),
  },
  { alert: 'PushfleetDirectBacklogOld', labels: { queue: 'channel-hms' }, make: nothing, mend: nothing },
  { alert: 'PushfleetBulkBacklogOld', labels: { queue: 'channel-hms-bulk' }, make: nothing, mend: nothing },
];

const LOST = 60;

/** Nobody saved the profile that these devices name. */
const lostDevices = (): Trouble => ({
  alert: 'PushfleetDiscardsRise',
  labels: { channel: 'hms', reason: 'profile-missing' },
  async make() {
    const { vendor } = channels.hms;
    const stranger = await fleet.createApp();
    const device = (_: unknown, n: number) => ({
      ...{ installationId: `lost-${n}`, vendor, registrationId: `alive-lost-${n}`, deviceProfile: 'nobody' },
    });
    await registerDevices(fleet, stranger, Array.from({ length: LOST }, device));
    await fleet.push(stranger, { data: { alert: 'x' } });
  },
  mend: nothing,
});

const droppedDevices = (): Trouble => ({
  alert: 'PushfleetGatewayDrop',
  make: () => Promise.all(sockets.slice(0, DROPPED).map((socket) => socket.close())),
  async mend() {
    const back = Array.from({ length: DROPPED }, (_, i) => new SocketDevice(fleet, app, `socket-${i}`));
    sockets = [...back, ...sockets.slice(DROPPED)];
    await Promise.all(back.map((socket) => socket.start()));
  },
});

/** Nobody renews it in time, and then somebody does. */
const oldCertificate = (): Trouble => {
  const show = async (name: string, days: number): Promise<void> => {
    const { certFile, keyFile } = await authority.issue(name, { days });
    await Promise.all([copyFile(certFile, shown.certFile), copyFile(keyFile, shown.keyFile)]);
  };
  return {
    ...{ alert: 'PushfleetCertificateExpires', labels: { service: 'ingress' } },
    make: () => show('old', 13),
    mend: () => show('new', 60),
  };
};

/** A process on a machine that nobody sets the clock of. */
function wrongClock(): Trouble {
  const id = 'host-7-b';
  const now = (): number => Date.now() - 300_000;
  const { processes } = openStore({ redis, namespace: 'pushfleet', vendors: new Map(), now });
  let beats: Repeated;
  return {
    ...{ alert: 'PushfleetClockWrong', labels: { role: 'dispatcher' } },
    make() {
      const beat = () => processes.beat({ id, role: 'dispatcher', labels: {}, version: '1.2.3', since: now() });
      beats = repeat(500, beat, nothing);
    },
    async mend() {
      await beats.stop();
      await processes.leave(id);
    },
  };
}

const pause = (): Trouble => ({
  alert: 'PushfleetChannelPaused',
  labels: { channel: 'own' },
  make: () => fleet.admin('POST', '/channels/own/pause', {}),
  mend: () => fleet.admin('POST', '/channels/own/resume', {}),
});

const noLimit = (): Trouble => ({
  alert: 'PushfleetRedisUnlimited',
  make: nothing,
  mend: () => onEveryNode('maxmemory', '1gb'),
});

/** 0 while nobody on a busy machine comes to measure it. */
async function usedBytes(): Promise<number> {
  const [used] = await prometheus.query('max(pushfleet_redis_memory_bytes{kind="used"})');
  return Number(used?.value[1] ?? 0);
}

const nearlyFull = (): Trouble => ({
  alert: 'PushfleetRedisMemory',
  async make() {
    const used = await until(usedBytes);
    await onEveryNode('maxmemory', String(Math.ceil(used * 1.35)));
  },
  mend: () => onEveryNode('maxmemory', '1gb'),
});

const full = (): readonly Trouble[] => [
  {
    alert: 'PushfleetPushesRefused',
    make: () => onEveryNode('maxmemory', '1'),
    mend: () => onEveryNode('maxmemory', '1gb'),
  },
  { alert: 'PushfleetUserInfoFails', make: nothing, mend: nothing },
];

const killedWorker = (): readonly Trouble[] => [
  {
    alert: 'PushfleetNoConsumer',
    labels: { queue: 'channel-mi' },
    make: () => stop('worker-mi'),
    mend: () => restart('worker-mi', 'channel-worker', { CHANNEL: 'mi' }),
  },
  { alert: 'PushfleetProcessDown', labels: { compose_service: 'worker-mi' }, make: nothing, mend: nothing },
];

/** The vendor has reported no arrival so far, and yesterday it reported nearly all; then it reports all that it holds. */
const silentVendor = (): Trouble => ({
  alert: 'PushfleetDeliveredFalls',
  labels: { channel: 'mi' },
  make: nothing,
  mend: () => fleet.simulator('POST', '/receipts', { channel: 'mi', kind: 'delivered' }),
});

const missing = (name: string, trouble: Pick<Trouble, 'alert' | 'labels'>): Trouble => ({
  ...trouble,
  make: () => stop(name),
  mend: () => restart(name, name),
});

/** Each of its starts is looked at, as it would be if it lived for a quarter of a minute. */
const endsAgain = (): Trouble => ({
  ...{ alert: 'PushfleetProcessRestarts', labels: { compose_service: 'user-info' } },
  async make() {
    const startedAt = async (): Promise<string | undefined> =>
      (await prometheus.query('pushfleet_process_start_time_seconds{service="user-info"}'))[0]?.value[1];
    for (let end = 0; end < 3; end += 1) {
      const before = await until(startedAt);
      // Starts are told in whole seconds: two within one would be taken for one.
      await until(() => Date.now() / 1000 - Number(before) > 1.5);
      await stop('user-info');
      await restart('user-info', 'user-info');
      await until(async () => ![before, undefined].includes(await startedAt()));
    }
  },
  mend: nothing,
});

/** What a Redis knows that started on an empty folder. */
const noApps = (): Trouble => ({
  alert: 'PushfleetRedisEmptied',
  make: () => redis.rename('pushfleet:apps', 'pushfleet:apps:aside'),
  mend: () => redis.rename('pushfleet:apps:aside', 'pushfleet:apps'),
});

/** What goes wrong together, one after the other. */
const TROUBLES: Readonly<Record<string, () => readonly Trouble[]>> = {
  'vendors, devices and records': () => [
    ...[...vendorDown(), wrongBooks(), spoiltOutcomes(), spoiltPushes(), spoiltCredentials(), unknownAnswers()],
    { alert: 'PushfleetDevicesFail', labels: { channel: 'mi' }, make: nothing, mend: nothing },
    lostDevices(),
    ...[droppedDevices(), pause(), noLimit()],
  ],
  'processes, and memory that runs short': () => [
    ...[...killedWorker(), badCredentials()],
    missing('user-info', { alert: 'PushfleetServiceMissing', labels: { service: 'user-info' } }),
    nearlyFull(),
  ],
  'a process that ends again and again': () => [endsAgain()],
  'a certificate that nobody renews': () => [oldCertificate()],
  'a clock that is wrong': () => [wrongClock()],
  'a full Redis': full,
  'a Redis that lost its apps': () => [noApps()],
  'a fleet that nobody watches': () => [missing('dispatcher', { alert: 'PushfleetNobodyWatches' })],
  // Last: what is sent after the reports makes their share smaller again.
  'arrivals that are reported no more': () => [silentVendor()],
};

async function firing(): Promise<readonly string[]> {
  const alerts = (await prometheus.alerts()).filter(({ state }) => state === 'firing');
  return alerts.map(({ labels }) => JSON.stringify(labels));
}
const isFiring = (alerts: readonly string[], { alert, labels = {} }: Trouble): boolean =>
  alerts.some((text) =>
    Object.entries({ alertname: alert, ...labels }).every(([k, v]) => text.includes(`"${k}":"${v}"`)),
  );

test('Prometheus reaches every process', async () => {
  const expected = Object.fromEntries(PROCESSES.map((name) => [name, 'up']));
  await until(async () => JSON.stringify(sorted(await prometheus.targets())) === JSON.stringify(sorted(expected)), {
    timeoutMs: 10_000,
  });
});

const sorted = (record: Readonly<Record<string, string>>) =>
  Object.entries(record).sort(([a], [b]) => a.localeCompare(b));

const over: Trouble[] = [];

test.each(Object.keys(TROUBLES))('alerts tell of %s', async (name) => {
  const troubles = TROUBLES[name]?.() ?? [];
  // Some end by themselves before others begin.
  let silent = troubles;
  try {
    // Some alerts end by themselves while other troubles are still being made.
    const made = Promise.all(troubles.map(({ make }) => make()));
    const told = until(
      async () => {
        const alerts = await firing();
        silent = silent.filter((trouble) => !isFiring(alerts, trouble));
        if (silent.length > 0) throw new Error(`not ${silent.map(({ alert }) => alert).join()} but ${alerts.join()}`);
        return true;
      },
      { everyMs: 250, timeoutMs: 120_000 },
    );
    await Promise.all([made, told]);
    over.push(...troubles);
  } finally {
    await Promise.all(troubles.map(({ mend }) => mend()));
  }
});

test('every alert was seen', () => {
  const told = new Set(over.map(({ alert }) => alert));
  expect(alertRules.filter(({ alert = '' }) => !told.has(alert)).map(({ alert }) => alert)).toEqual([]);
});

test('alerts end when all is well again', async () => {
  await until(
    async () => {
      const alerts = await firing();
      const left = over.filter((trouble) => isFiring(alerts, trouble));
      if (left.length > 0) throw new Error(left.map(({ alert }) => alert).join());
      return true;
    },
    { everyMs: 500 },
  );
});

test('every query of every dashboard has had an answer', async () => {
  expect(await seen.stop()).toEqual([]);
});
