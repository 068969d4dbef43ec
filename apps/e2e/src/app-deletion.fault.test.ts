import { setTimeout as delay } from 'node:timers/promises';
import { connectTestRedis, keysIn, until } from '@pushfleet/testing';
import { registerDevices } from './devices';
import { faultRandom } from './fault-random';
import { expectBalanced, Fleet, type DemoApp } from './fleet';

const DEVICES = 5000;
const random = faultRandom();
let fleet: Fleet;

beforeAll(async () => {
  fleet = await Fleet.start(['hms']);
});
afterAll(() => fleet.stop());

/** Keys of an app and its pushes, without its id, each with the fields that it holds. */
async function keptOf(app: Pick<DemoApp, 'id'>, pushIds: readonly string[] = []): Promise<Record<string, string[]>> {
  const redis = await connectTestRedis(fleet.redis.url);
  try {
    const keys = await keysIn(redis, 'pushfleet:*');
    const its = keys.filter((key) => [app.id, ...pushIds].some((text) => key.includes(text)));
    const fields = async (key: string): Promise<string[]> =>
      (await redis.type(key)) === 'hash' ? redis.hkeys(key) : [];
    return Object.fromEntries(
      await Promise.all(its.map(async (key) => [key.replaceAll(app.id, ''), await fields(key)] as const)),
    );
  } finally {
    redis.disconnect();
  }
}

const statusOf = async (app: DemoApp, path: string): Promise<number> => {
  const headers = { 'x-lc-id': app.id, 'x-lc-key': `${app.masterKey},master` };
  return (await fetch(`${fleet.url('ingress')}/1.1${path}`, { headers })).status;
};

test(`an app that is deleted under way, by dispatchers that are killed, leaves nothing to who has its id next (seed ${random.seed})`, async () => {
  const [mine, other] = [await fleet.createApp(), await fleet.createApp()];
  for (const app of [mine, other]) await registerDevices(fleet, app, DEVICES);
  await fleet.simulator('PUT', '/faults', { channel: 'hms', kind: 'slow', delayMs: 50 });
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const pushes = await Promise.all([
    fleet.push(mine, { data: { alert: 'of the old owner' } }),
    fleet.push(mine, { data: { alert: 'scheduled' }, push_time: later }),
    fleet.push(mine, { where: { installationId: 'device-7' }, data: { alert: 'one' } }),
  ]);
  const ids = pushes.map(({ objectId }) => objectId);

  await fleet.admin('DELETE', `/apps/${mine.id}`);
  expect(await statusOf(mine, '/installations')).toBe(401);
  const { id, key, masterKey } = mine;
  const again = { name: 'again', edition: 'commercial', id, key, masterKey };
  await expect(fleet.admin('POST', '/apps', again)).rejects.toThrow(/409 .*is being deleted/);
  for (let kill = 0; kill < 3; kill += 1) {
    await delay(random.between(50, 1500));
    await fleet.service('dispatcher').stop('SIGKILL');
    await fleet.run('dispatcher');
  }
  const { objectId } = await fleet.push(other, { data: { alert: 'to the other' } });
  const record = await fleet.done(other, objectId);
  expectBalanced(record);
  expect(record.channels['hms']).toMatchObject({ accepted: DEVICES });

  await until(() => fleet.admin('POST', '/apps', again), { timeoutMs: 90_000, everyMs: 500 });
  const fresh = await fleet.admin<{ id: string }>('POST', '/apps', { name: 'fresh', edition: 'commercial' });
  expect(await keptOf(mine, ids)).toEqual(await keptOf(fresh));
  for (const list of ['installations', 'pushes', 'profiles'])
    expect((await fleet.admin<{ results: unknown[] }>('GET', `/apps/${mine.id}/${list}`)).results).toEqual([]);
  for (const name of ['dispatcher', 'worker-hms']) expect(fleet.service(name).output()).not.toContain('failed');
}, 300_000);
