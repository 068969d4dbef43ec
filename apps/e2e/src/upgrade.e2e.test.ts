import { createHmac, randomUUID } from 'node:crypto';
import { channels } from '@pushfleet/channels';
import { openRedis } from '@pushfleet/store';
import { startRedisServer, until, type Service } from '@pushfleet/testing';
import { expectBalanced, Fleet, type DemoApp } from './fleet';
import { SocketDevice } from './testing/socket-device';
import { loadDump, type Dumped } from './upgrade/load-dump';

/** What a worker that was killed holds goes to others within seconds. */
const SETTINGS = {
  BULK_LOCK_MS: '1500',
  REDRIVE_AFTER_MS: '1500',
  REDRIVE_INTERVAL_MS: '300',
  LOG_LEVEL: 'info',
  USER_INFO_PUBLIC_URLS: 'http://127.0.0.1:8081',
};
/** The one call that the vendor had taken when its worker was killed. */
const IN_FLIGHT = 100;
const SETTLE_MS = 600_000;
const STEPS = ['dispatcher', 'worker-hms', 'worker-mz', 'worker-own', 'gateway', 'console', 'user-info', 'ingress'];

let fleet: Fleet;
let before: Dumped;
let app: DemoApp;

beforeAll(async () => {
  const redis = await startRedisServer();
  before = await loadDump('format-1.ndjson.br', redis.url);
  app = before.app;
  fleet = new Fleet(redis, { ...SETTINGS, SECRET_KEY: before.secretKey });
  await fleet.run('simulator');
  const variables = Object.values(channels).flatMap((channel) => Object.keys(channel.endpoints));
  for (const variable of variables) fleet.env[variable] = fleet.url('simulator');
});
afterAll(() => fleet.stop());

const start = (step: string): Promise<Service> =>
  step.startsWith('worker-') ? fleet.runWorker(step.slice('worker-'.length)) : fleet.run(step);

interface Readiness {
  readonly notes?: Readonly<Record<string, string>>;
}

/** What a process says of itself; a busy machine may keep it from an answer in time, which it says then. */
const readiness = ({ urls }: Service): Promise<Readiness> =>
  until(async () => {
    const said = (await (await fetch(`${urls['metrics'] ?? ''}/readyz`)).json()) as Readiness;
    return Object.values(said.notes ?? {}).some((note) => note.startsWith('no answer')) ? undefined : said;
  });

interface Doctor {
  readonly checks: readonly { readonly check: string; readonly status: string; readonly finding: string }[];
}

const examined = async (name: string) =>
  (await fleet.admin<Doctor>('GET', '/doctor')).checks.find(({ check }) => check === name);

/** Changes what Redis holds as time, or another version, would. */
async function changeField(key: string, field: string, change: (text: string) => string): Promise<void> {
  const onError = (error: Error): never => {
    throw error;
  };
  const redis = await openRedis({ url: fleet.redis.url, patience: 'wait', onError });
  await redis.hset(`pushfleet:${key}`, field, change((await redis.hget(`pushfleet:${key}`, field)) ?? ''));
  await redis.quit();
}

const earlier =
  (field: string) =>
  (text: string): string => {
    const known = JSON.parse(text) as Readonly<Record<string, number>>;
    return JSON.stringify({ ...known, [field]: Number(known[field]) - SETTLE_MS });
  };

/** The token of an account opens it. */
async function openAccount({ account }: Dumped): Promise<unknown> {
  const uri = `/api/v1/user/info?client_id=${account.clientId}`;
  const [ts, nonce] = [String(Math.floor(Date.now() / 1000)), randomUUID()];
  const said = `${[ts, nonce, 'GET', uri, '127.0.0.1', '8081', ''].join('\n')}\n`;
  const mac = createHmac('sha1', account.mac_key).update(said).digest('base64');
  const authorization = `MAC id="${account.access_token}",ts="${ts}",nonce="${nonce}",mac="${mac}"`;
  const answer = await fetch(`${fleet.url('user-info', 'userInfo')}${uri}`, { headers: { authorization } });
  return answer.json();
}

async function expectReached(pushId: string): Promise<void> {
  const record = await fleet.done(app, pushId);
  expectBalanced(record);
  expect(record.channels['hms']).toMatchObject({ matched: 1, accepted: 1 });
}

const pushTo = async (audience: object): Promise<string> =>
  (await fleet.push(app, { ...audience, data: { alert: 'after the upgrade' } })).objectId;

async function expectDirectPushes(): Promise<void> {
  await expectReached(await pushTo({ where: { installationId: 'hms-9' } }));
  await expectReached(await pushTo({ channels: ['user-hms-3'] }));
}

test('processes of this version come one after the other, each ready beside data of the version before', async () => {
  for (const step of STEPS) {
    const service = await start(step);
    expect(await readiness(service)).toEqual({
      status: 'ok',
      notes: {
        format: expect.stringMatching(/^this process is of format 2 and runs beside those of format 1; .* waits for/),
      },
    });
    expect(service.output()).toContain('runs beside those of format 1');
  }
}, 240_000);

test('the campaign that was half sent reaches everybody, and its books add up', async () => {
  const record = await fleet.done(app, before.pushes.campaign);
  expectBalanced(record);
  const { mz, hms, own } = before.devices;
  expect(record.channels).toMatchObject({
    mz: { matched: mz, accepted: mz },
    hms: { matched: hms, accepted: hms },
    own: { matched: own, accepted: own },
  });
  const { results } = await fleet.simulator<{ results: readonly { registrationIds: readonly string[] }[] }>(
    ...(['GET', '/messages?channel=mz&limit=1000'] as const),
  );
  const now = results.flatMap(({ registrationIds }) => registrationIds);
  expect(before.sent.length).toBeGreaterThanOrEqual(mz / 2);
  expect(before.sent.length).toBeLessThan(mz);
  expect(new Set([...before.sent, ...now]).size).toBe(mz);
  expect(before.sent.length + now.length - mz).toBeLessThanOrEqual(IN_FLIGHT);
});

test('pushes that waited in a queue, and one whose time has come, are sent', async () => {
  const { planned, accepted, due } = before.pushes;
  for (const pushId of [...planned, ...accepted, due]) await expectReached(pushId);
});

test('a push whose time has not come still waits, and can be cancelled', async () => {
  const { waiting } = before.pushes;
  expect(await fleet.record(app, waiting)).toMatchObject({ status: 'scheduled' });
  const scheduled = await fleet.callAsServer<{ results: readonly { objectId?: string }[] }>(app, [
    'GET',
    '/scheduledPushMessages',
  ]);
  expect(scheduled.results).toHaveLength(1);
  await fleet.callAsServer(app, ['DELETE', `/notifications/${waiting}`]);
});

test('the report of an arrival that waited in its queue is counted', async () => {
  await until(async () => (await fleet.record(app, before.pushes.delivered)).channels['hms']?.delivered === 1, {
    timeoutMs: 20_000,
  });
});

test('what waited for a device of the own channel is delivered, once', async () => {
  const device = new SocketDevice(fleet, app, 'own-0');
  await device.start();
  const ids = [...before.pushes.offline, before.pushes.campaign];
  await until(() => ids.every((id) => device.heard.has(id)));
  for (const id of ids) {
    expect(device.heard.get(id)).toBe(1);
    await until(async () => (await fleet.record(app, id)).channels['own']?.delivered === 1);
  }
  await device.close();
});

test('keys, tokens and installations are what they were', async () => {
  expect(await openAccount(before)).toMatchObject({ success: true, data: { name: before.account.name } });
  const body = { deviceType: 'android', installationId: 'hms-4', vendor: 'HMS', registrationId: 'hms-token-4' };
  const saved = await fleet.call<{ objectId: string }>(app, ['POST', '/installations'], body);
  const found = await fleet.call<object>(app, ['GET', `/installations/${saved.objectId}`]);
  expect(found).toMatchObject({ ...body, channels: ['all', 'user-hms-4'] });
  await expectDirectPushes();
});

test('the data are migrated as soon as no process of the version before can be left', async () => {
  expect(await examined('format')).toMatchObject({ status: 'warning', finding: expect.stringMatching(/of format 1/) });
  const { bytes } = await fleet.admin<{ bytes: number }>('GET', `/apps/${app.id}/room`);
  await changeField('channel-indexes', 'fleet', earlier('since'));
  await until(async () => (await examined('format'))?.status === 'ok');
  expect((await fleet.admin<{ bytes: number }>('GET', `/apps/${app.id}/room`)).bytes).toBeGreaterThan(
    bytes + 400 * 500,
  );
  for (const step of STEPS) expect(await readiness(fleet.service(step))).toEqual({ status: 'ok' });
  // Not before: a check that had begun with the former time of settling would be repeated ten minutes later.
  await changeField('channel-indexes', `${app.id} channels`, earlier('dueAt'));
  await until(async () => (await examined('channel-indexes'))?.finding.endsWith('every app is whole') === true, {
    timeoutMs: 60_000,
  });
  await expectDirectPushes();
});

test('secrets are sealed anew, and every process can be replaced afterwards', async () => {
  await fleet.admin('POST', '/secrets', {});
  await until(async () => 'last' in (await fleet.admin<object>('GET', '/secrets?progress=1')));
  expect(await examined('secret-key')).toMatchObject({ status: 'ok' });
  for (const step of STEPS) {
    const former = fleet.service(step);
    await start(step);
    await former.stop();
  }
  expect(await openAccount(before)).toMatchObject({ success: true });
  await expectDirectPushes();
}, 240_000);

test.each(STEPS)('%s leaves with one line when the data are too new for it', async (step) => {
  await changeField('format', 'accepts', () => '9');
  await expect(start(step)).rejects.toThrow(
    /exit 1\nFORMAT: [^\n]*too old[^\n]* of format 2,[^\n]* 9 or later[^\n]*\n?$/,
  );
  expect(await readiness(fleet.service('ingress'))).toMatchObject({
    failures: { format: expect.stringMatching(/too old/) },
  });
});
