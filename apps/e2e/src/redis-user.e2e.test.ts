import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLUSTER_COMMANDS, FLEET_COMMANDS, SPARE_COMMANDS } from '@pushfleet/store';
import { connectTestRedis, mastersOf, startRedisServer, until } from '@pushfleet/testing';
import { registerDevices } from './devices';
import { expectBalanced, expectTold, Fleet, type DemoApp } from './fleet';

const ROOT = join(__dirname, '../../..');
const GUIDE = readFileSync(join(ROOT, 'docs/operate.md'), 'utf8');
const PASSWORD = 'sesame';
const USER = 'pushfleet';

/** The rules of the user that the guide tells operators to make. */
function documentedRules(): readonly string[] {
  const [, rules = ''] = /^redis-cli ACL SETUSER pushfleet ((?:[^\n]*\\\n)*[^\n]*)$/m.exec(GUIDE) ?? [];
  return rules.replaceAll('\\\n', ' ').replaceAll("'", '').replace('PASSWORD', PASSWORD).split(/\s+/).filter(Boolean);
}

let fleet: Fleet;
let app: DemoApp;
let direct: Awaited<ReturnType<typeof connectTestRedis>>;

/** Asked of every node that holds keys, as the user who may do everything. */
const everywhere = (...words: readonly [string, ...string[]]): Promise<readonly unknown[]> => {
  const [command, ...args] = words;
  return Promise.all(mastersOf(direct).map((node) => node.call(command, ...args)));
};

beforeAll(async () => {
  const server = await startRedisServer();
  direct = await connectTestRedis(server.url);
  await everywhere('ACL', 'SETUSER', USER, ...documentedRules());
  const url = server.url.replace('://', `://${USER}:${PASSWORD}@`);
  fleet = await Fleet.on(server, ['hms', 'own'], { settings: { REDIS_URL: url, REDRIVE_AFTER_MS: '1000' } });
  await fleet.run('gateway');
  await fleet.run('user-info');
  app = await fleet.createApp();
}, 240_000);

afterAll(async () => {
  direct.disconnect();
  await fleet.stop();
});

test('the guide lists the commands that the store knows', async () => {
  type Page = { withRedisUser(page: string, commands: object): string };
  const { withRedisUser } = (await import(join(ROOT, 'scripts/redis-user-page.cjs'))) as Page;
  const commands = { needed: FLEET_COMMANDS, ofCluster: CLUSTER_COMMANDS, spare: SPARE_COMMANDS };
  expect(withRedisUser(GUIDE, commands)).toBe(GUIDE);
});

const devicesOf = ['hms', 'own'].map((name) => ({
  deviceType: 'android',
  installationId: `saved-${name}`,
  channels: ['news'],
  ...(name === 'hms' ? { vendor: 'HMS', registrationId: 'saved' } : {}),
}));

/** On a machine that is busy enough, whoever answers gives up on Redis: asked again, nothing is lost. */
const patiently = <T>(work: () => Promise<T>) => until(work, { timeoutMs: 120_000, everyMs: 200 });

const AUDIENCES = [
  {},
  { where: { installationId: 'device-1' } },
  { channels: ['news'] },
  { where: { city: 'Berlin' } },
] as const;
const PAGES = ['/doctor', '/processes', '/audit', '/channels'] as const;

const isDeleted = async ({ id }: DemoApp): Promise<boolean> => {
  const { results } = await fleet.admin<{ results: readonly DemoApp[] }>('GET', '/apps');
  return results.every((app) => app.id !== id);
};

const everyRefusal = async (): Promise<readonly unknown[]> => (await everywhere('ACL', 'LOG', '64')).flat();

test('pushes, receipts, imports, the console and a deletion: as that user nothing is refused', async () => {
  await registerDevices(fleet, app, 3000);
  for (const device of devicesOf) await patiently(() => fleet.call(app, ['POST', '/installations'], device));
  await patiently(() => fleet.admin('PUT', `/apps/${app.id}/indexes/city`));
  for (const audience of AUDIENCES) {
    const body = { ...audience, data: { alert: 'x' }, notification_id: 'shared1' };
    const { objectId } = await patiently(() => fleet.push(app, body));
    const record = await fleet.done(app, objectId, 120_000);
    expectBalanced(record);
    await expectTold(fleet, app, record);
  }
  const profile = await fleet.admin<{ receiptUrl: string }>('GET', `/apps/${app.id}/profiles/hms/_default`);
  await fleet.simulator('POST', '/receipts', { channel: 'hms', kind: 'delivered', url: profile.receiptUrl });
  const question = { where: { city: 'Berlin' }, data: { alert: 'x' } };
  await patiently(() => fleet.callAsServer(app, ['POST', '/push/preflight'], question));
  for (const path of [...PAGES, `/apps/${app.id}/reach`]) await patiently(() => fleet.admin('GET', path));
  const gone = await fleet.createApp();
  await registerDevices(fleet, gone, 100);
  await patiently(() => fleet.admin('DELETE', `/apps/${gone.id}`));
  await patiently(() => isDeleted(gone));
  expect(await everyRefusal()).toEqual([]);
}, 600_000);

interface Found {
  readonly checks: readonly { readonly check: string; readonly status: string; readonly finding: string }[];
}

test('what is taken from it later stands in the log, the doctor names it, and work goes on when it is given back', async () => {
  await everywhere('ACL', 'SETUSER', USER, '-xadd');
  const body = { where: { installationId: 'device-2' }, data: { alert: 'later' } };
  const refusal = await patiently(async () => {
    const error: unknown = await fleet.push(app, body).catch((caught: unknown) => caught);
    return error instanceof Error && error.message.includes(': 500 ') ? error : undefined;
  });
  expect(refusal.message).toContain('Internal error');
  expect(fleet.service('ingress').output()).toMatch(
    /The user executing the script can't run this command|has no permissions/,
  );
  const { checks } = await patiently(() => fleet.admin<Found>('GET', '/doctor'));
  expect(checks.filter(({ check }) => check === 'redis-user')).toContainEqual(
    expect.objectContaining({ status: 'problem', finding: expect.stringContaining('may not run xadd') }),
  );
  await everywhere('ACL', 'SETUSER', USER, '+xadd');
  const { objectId } = await patiently(() => fleet.push(app, body));
  expect((await fleet.done(app, objectId, 120_000)).channels['hms']).toMatchObject({ accepted: 1, outstanding: 0 });
}, 600_000);
