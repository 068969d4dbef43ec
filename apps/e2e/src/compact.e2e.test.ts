import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { channelNames, channels } from '@pushfleet/channels';
import { OWN_CHANNEL } from '@pushfleet/domain';
import { startService, until } from '@pushfleet/testing';
import { registerDevices } from './devices';
import { expectBalanced, expectTold, Fleet, type DemoApp } from './fleet';
import { expectGreeted } from './testing/expect-greeted';

const CAMPAIGN_DEVICES = 10_000;
const PAGE = 1000;
/** A process that is killed repeats at most the calls that it had under way. */
const CALLS_AT_ONCE = 4;
const CALL_MS = 50;
const RUNS = 'pushfleet_queue_job_runs_total';
const DIRECT = 'queue="channel-hms"';

let fleet: Fleet;
let app: DemoApp;

beforeAll(async () => {
  const quick = { SEND_CONCURRENCY: String(CALLS_AT_ONCE), REDRIVE_AFTER_MS: '1500' };
  ({ fleet, app } = await Fleet.withApp([...channelNames, OWN_CHANNEL], quick, { shape: 'compact' }));
});

afterAll(() => fleet.stop());

const probe = async (path: string) => (await fetch(`${fleet.url('fleet', 'metrics')}${path}`)).text();

test('one process takes the devices of every vendor, plans, sends and books', async () => {
  await Promise.all(
    channelNames.map((name) =>
      fleet.call(app, ['POST', '/installations'], {
        ...{ deviceType: 'android', installationId: `first-${name}`, channels: ['first'] },
        ...{ vendor: channels[name].vendor, registrationId: `alive-${name}` },
      }),
    ),
  );
  const { objectId } = await fleet.push(app, { channels: ['first'], data: { alert: 'Hello', title: 'Greeting' } });
  const record = await fleet.done(app, objectId);
  expectBalanced(record);
  expect(record).toMatchObject({ devices: channelNames.length, successes: channelNames.length });
});

test('a device of the own channel gets its push through the same process', () => expectGreeted(fleet, app, 'own'));

test('it is ready when all of its roles are, and each is a process of the fleet', async () => {
  expect(JSON.parse(await probe('/readyz'))).toEqual({ status: 'ok' });
  expect(JSON.parse(await probe('/healthz'))).toEqual({ status: 'ok' });
  const { results } = await fleet.admin<{ results: readonly { role: string; channel?: string }[] }>(
    'GET',
    '/processes',
  );
  expect(results.map(({ role, channel }) => (channel === undefined ? role : channel)).sort()).toEqual(
    ['console', 'dispatcher', 'gateway', 'ingress', 'user-info', ...channelNames, OWN_CHANNEL].sort(),
  );
});

test('its metrics keep the label of their role, and no series stands there twice', async () => {
  const samples = (await probe('/metrics')).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const series = samples.map((line) => line.slice(0, line.lastIndexOf(' ')));
  expect(series.filter((one, i) => series.indexOf(one) !== i)).toEqual([]);
  const services = new Set(series.map((one) => /service="([^"]+)"/.exec(one)?.[1]));
  const roles = ['channel-worker', 'console', 'dispatcher', 'gateway', 'ingress', 'user-info'];
  expect([...services].sort()).toEqual(['fleet', ...roles].sort());
});

test('killed in the middle of a campaign and started again, it loses no device', async () => {
  await registerDevices(
    fleet,
    app,
    Array.from({ length: CAMPAIGN_DEVICES }, (_, n) => ({
      ...{ installationId: `crowd-${n}`, vendor: 'HMS', registrationId: `crowd-${n}`, channels: ['crowd'] },
    })),
  );
  await fleet.simulator('DELETE', '');
  const slow = { channel: 'hms', kind: 'slow', path: 'messages:send', delayMs: CALL_MS };
  await fleet.simulator('PUT', '/faults', slow);
  const named = await fleet.push(app, { where: { installationId: 'crowd-1' }, data: { alert: 'One' } });
  const { objectId } = await fleet.push(app, { where: { channels: 'crowd' }, data: { alert: 'Everybody' } });
  await until(async () => (await fleet.traffic('hms')).devices >= PAGE, { everyMs: 5 });
  await fleet.service('fleet').stop('SIGKILL');
  await fleet.run('fleet');
  const record = await fleet.done(app, objectId);
  expectBalanced(record);
  expect(record.channels['hms']).toMatchObject({ matched: CAMPAIGN_DEVICES, accepted: CAMPAIGN_DEVICES });
  await expectTold(fleet, app, record);
  expect(await fleet.done(app, named.objectId)).toMatchObject({ successes: 1 });
  const { distinctDevices, duplicates } = await fleet.traffic('hms');
  expect(distinctDevices).toBe(CAMPAIGN_DEVICES);
  expect(duplicates).toBeLessThanOrEqual(CALLS_AT_ONCE * PAGE + 1);
}, 240_000);

test('told to stop, it closes everything and leaves with 0', async () => {
  const service = fleet.service('fleet');
  expect(await service.stop()).toBe(0);
  expect(service.output()).not.toMatch(/"level":"(error|fatal)"/);
  await fleet.run('fleet');
});

/** The samples of one metric, added up. */
const sumOf = async (metric: string, label: string): Promise<number> => {
  const samples = (await probe('/metrics')).split('\n').filter((line) => line.startsWith(`${metric}{`));
  return samples.filter((line) => line.includes(label)).reduce((sum, line) => sum + Number(line.split(' ').pop()), 0);
};

test('told to stop, it takes no job while a caller holds a door open, and what is accepted there is sent by the next', async () => {
  await fleet.simulator('PUT', '/faults', { channel: 'hms', kind: 'http-5xx' });
  const push = { where: { installationId: 'first-hms' }, data: { alert: 'Again' } };
  const before = await sumOf(RUNS, DIRECT);
  const early = await fleet.push(app, push);
  await until(async () => (await sumOf(RUNS, DIRECT)) > before);

  const body = Buffer.from(JSON.stringify(push));
  const late = holdRequest(body.length);
  await once(late, 'continue');
  const runs = await sumOf(RUNS, 'result="again"');
  const stopped = fleet.service('fleet').stop();
  await until(async () => (await sumOf('pushfleet_queue_consumers', '')) === 0);
  expect(await sumOf(RUNS, 'result="again"')).toBeLessThan(runs + 10);
  late.end(body);
  const [answer] = (await once(late, 'response')) as [IncomingMessage];
  const { objectId } = JSON.parse(await text(answer)) as { objectId: string };
  expect(await stopped).toBe(0);

  await fleet.simulator('DELETE', '/faults');
  await fleet.run('fleet');
  for (const id of [early.objectId, objectId]) {
    expect(await fleet.done(app, id)).toMatchObject({ successes: 1 });
  }
}, 240_000);

/** The head of a push, whose body is still to come. */
function holdRequest(length: number): ClientRequest {
  const held = request(`${fleet.url('ingress')}/1.1/push`, {
    method: 'POST',
    headers: {
      ...{ 'x-lc-id': app.id, 'x-lc-key': app.key, 'content-type': 'application/json' },
      ...{ 'content-length': length, expect: '100-continue' },
    },
  });
  held.flushHeaders();
  return held;
}

describe('what cannot start ends it with 1 and one line', () => {
  const failure = (settings: Readonly<Record<string, string>>): Promise<string> => {
    const started = startService('fleet', { ...fleet.env, INGRESS_PORT: '0', CHANNEL: 'hms', ...settings });
    return started.then(
      () => 'it started',
      (error: Error) => error.message,
    );
  };

  test('a role that there is none of', async () => {
    const lines = (await failure({ ROLES: 'ingress,mailer' })).trim().split('\n');
    expect(lines).toEqual([
      'fleet did not start: Error: exit 1',
      'ROLES: entry 2 is "mailer", not one of ingress, dispatcher, worker, gateway, console, user-info',
    ]);
  });

  test('two roles on one port', async () => {
    const lines = (await failure({ CONSOLE_PORT: '18080', USER_INFO_PORT: '18080' })).trim().split('\n');
    expect(lines.slice(1)).toEqual(['USER_INFO_PORT: port 18080 is that of CONSOLE_PORT, too; give it one of its own']);
  });

  test('a role that does not open, by its name', async () => {
    const { port } = new URL(fleet.url('fleet', 'gateway'));
    const lines = (await failure({ GATEWAY_PORT: port })).trim().split('\n');
    expect(lines.slice(1)).toEqual([`gateway: GATEWAY_PORT: port ${port} is already in use`]);
  });

  test('another key than that of the data', async () => {
    const lines = (await failure({ SECRET_KEY: randomBytes(32).toString('base64') })).trim().split('\n');
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(/^(channel-worker|ingress|console|user-info).*: SECRET_KEY: /),
    ]);
  });
});
