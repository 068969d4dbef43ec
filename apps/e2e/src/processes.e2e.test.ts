import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@pushfleet/testing';
import { Fleet } from './fleet';

/** Five beats that are missing, and a look of the dispatcher at those who are left. */
const GONE_WITHIN_MS = 30_000;

interface ListedProcess {
  readonly id: string;
  readonly role: string;
  readonly channel?: string;
  readonly version: string;
  readonly keyId?: string;
  readonly since: string;
}

const ROLES = ['channel-worker hms', 'console', 'dispatcher', 'gateway', 'ingress', 'user-info'];
/** They open and seal nothing. */
const KEYLESS = ['dispatcher', 'gateway'];

let fleet: Fleet;
let startedAt: number;

beforeAll(async () => {
  startedAt = Date.now();
  fleet = await Fleet.start(['hms']);
  await Promise.all([fleet.run('gateway'), fleet.run('user-info')]);
});

afterAll(() => fleet.stop());

const listed = async (): Promise<readonly ListedProcess[]> =>
  (await fleet.admin<{ results: readonly ListedProcess[] }>('GET', '/processes')).results;

const roleOf = ({ role, channel }: ListedProcess): string => (channel === undefined ? role : `${role} ${channel}`);
const roles = async (): Promise<readonly string[]> => (await listed()).map(roleOf).sort();

/** The version that the app of a role was built from. */
const versionOf = (app: string): string =>
  (JSON.parse(readFileSync(join(__dirname, '../..', app, 'package.json'), 'utf8')) as { version: string }).version;

/** As the dispatcher counts them, by role and version. */
async function counted(): Promise<Readonly<Record<string, number>>> {
  const answer = await fetch(`${fleet.url('dispatcher', 'metrics')}/metrics`);
  const lines = (await answer.text()).matchAll(
    /^pushfleet_processes\{role="([^"]+)",version="([^"]+)"[^}]*\} (\d+)$/gm,
  );
  return Object.fromEntries([...lines].map(([, role, version, count]) => [`${role} ${version}`, Number(count)]));
}

const countedAs = (names: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(names.map((name) => [`${name} ${versionOf(name)}`, 1]));

test('every process is listed with its version, its key and its start, and counted', async () => {
  await until(async () => (await roles()).length === ROLES.length);
  expect(await roles()).toEqual(ROLES);
  const processes = await listed();
  for (const { role, version, since } of processes) {
    expect([role, version]).toEqual([role, versionOf(role)]);
    expect(Date.parse(since)).toBeGreaterThanOrEqual(startedAt);
    expect(Date.parse(since)).toBeLessThanOrEqual(Date.now());
  }
  const keyIds = new Map(processes.map((process) => [roleOf(process), process.keyId]));
  const keyId = keyIds.get('ingress');
  expect(keyId).toMatch(/^[\w-]{6}$/);
  expect(keyIds).toEqual(new Map(ROLES.map((role) => [role, KEYLESS.includes(role) ? undefined : keyId])));
  const everyRole = [...new Set(processes.map(({ role }) => role))];
  await until(async () => Object.keys(await counted()).length === everyRole.length, { timeoutMs: GONE_WITHIN_MS });
  expect(await counted()).toEqual(countedAs(everyRole));
});

test('one that is stopped leaves the list at once, one that is killed within its time, and the others stay', async () => {
  await fleet.service('gateway').stop('SIGKILL');
  await fleet.service('user-info').stop();
  expect(await roles()).not.toContain('user-info');
  await until(async () => !(await roles()).includes('gateway'), { timeoutMs: GONE_WITHIN_MS, everyMs: 200 });
  expect(await roles()).toEqual(ROLES.filter((role) => role !== 'gateway' && role !== 'user-info'));
  const left = ['channel-worker', 'console', 'dispatcher', 'ingress'];
  await until(async () => Object.keys(await counted()).length === left.length, { timeoutMs: GONE_WITHIN_MS });
  expect(await counted()).toEqual(countedAs(left));
});
