import { randomInt } from 'node:crypto';
import { channelNames } from '@pushfleet/channels';
import { writeJson, type JsonObject } from '@pushfleet/domain';
import { openRedis } from '@pushfleet/store';
import { until } from '@pushfleet/testing';
import { registerDevices } from './devices';
import { Fleet, type DemoApp } from './fleet';
import { randomAudience, randomContent, randomDevice } from './testing/random-push';

interface Column {
  readonly matched: number;
  readonly sendable: number;
  readonly discarded: Readonly<Record<string, number>>;
  readonly calls: number;
  readonly truncated: number;
}

interface Preflight {
  readonly preflight: true;
  readonly devices: number;
  readonly exact: boolean;
  readonly channels: Readonly<Record<string, Column>>;
}

/** More of them by `PREFLIGHT_ROUNDS`. */
const ROUNDS = Number(process.env['PREFLIGHT_ROUNDS'] ?? 12);
/** For one round on a busy machine. */
const ROUND_MS = 20_000;
const pick = <T>(items: readonly T[]): T => items[randomInt(items.length)] as T;

let fleet: Fleet;
const apps: DemoApp[] = [];

beforeAll(async () => {
  fleet = await Fleet.start();
  const some = (count: number) => Array.from({ length: count }, (_, n) => randomDevice(pick, n));
  const settings = [{}, { overlong: 'reject' }, { hybrid: false }, {}];
  for (const [i, changes] of settings.entries()) {
    const app = await fleet.createApp(changes);
    apps.push(app);
    await registerDevices(fleet, app, some(i === 3 ? 1500 : 150));
  }
});

afterAll(() => fleet.stop());

/** Pre-flights whose answers stay for ten minutes. */
const kept: string[] = [];

async function preflight(app: DemoApp, push: JsonObject, query = '?exact=1'): Promise<Preflight> {
  const told = await fleet.callAsServer<Preflight | { path: string }>(app, ['POST', `/push/preflight${query}`], push);
  if (!('path' in told)) return told;
  // On a busy machine a walk takes longer than a request may.
  kept.push(told.path.replace(/.*\//, ''));
  const path = told.path.replace('/1.1', '');
  return until(
    async () => {
      const later = await fleet.callAsServer<Preflight | { path: string }>(app, ['GET', path]);
      if ('path' in later) throw new Error(JSON.stringify(later));
      return later;
    },
    { everyMs: 200 },
  );
}

const callsOf = async (): Promise<Record<string, number>> =>
  Object.fromEntries(await Promise.all(channelNames.map(async (name) => [name, (await fleet.traffic(name)).calls])));

/** Those that carried a message of the push. */
async function callsFor(pushId: string): Promise<ReadonlyMap<string, number>> {
  const calls = channelNames.map(async (name) => {
    const { results } = await fleet.simulator<{ results: { pushId: string }[] }>(
      'GET',
      `/messages?channel=${name}&limit=1000`,
    );
    return [name, results.filter((message) => message.pushId === pushId).length] as const;
  });
  return new Map(await Promise.all(calls));
}

test(
  'an exact pre-flight tells what the record of the same push tells',
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const app = apps[round % apps.length] as DemoApp;
      const push = { ...randomAudience(pick), data: randomContent(pick) };
      const foreseen = await preflight(app, push);
      expect([push, foreseen]).toMatchObject([push, { preflight: true, exact: true }]);
      // Conditions about other devices are for the master key.
      const { objectId } = await fleet.callAsServer<{ objectId: string }>(app, ['POST', '/push'], push);
      const record = await fleet.done(app, objectId);
      const calls = await callsFor(objectId);
      const booked = Object.entries(record.channels).map(([channel, books]) => [
        channel,
        {
          ...{ matched: books.matched, sendable: books.accepted, discarded: books.discarded },
          ...{ truncated: books.truncated, calls: calls.get(channel) ?? 0 },
        },
      ]);
      const told = Object.entries(foreseen.channels).map(
        ([channel, { matched, sendable, discarded, truncated, calls }]) => [
          channel,
          { matched, sendable, discarded, truncated, calls },
        ],
      );
      const shown = (columns: typeof told): unknown =>
        Object.fromEntries(columns.filter(([, column]) => (column as Column).matched > 0));
      expect({ push, channels: shown(told) }).toEqual({ push, channels: shown(booked) });
      expect(foreseen.devices).toBe(record.devices);
    }
  },
  ROUNDS * ROUND_MS,
);

test('a pre-flight reaches no vendor, records nothing and leaves nothing in Redis', async () => {
  const onError = (): void => undefined;
  const redis = await openRedis({ url: fleet.redis.url, patience: 'wait', onError });
  const nodes = 'nodes' in redis ? redis.nodes('master') : [redis];
  const keys = async (): Promise<readonly string[]> =>
    (await Promise.all(nodes.map((node) => node.keys('*'))))
      .flat()
      .filter((key) => !COMES_AND_GOES.test(key) && !kept.some((id) => key.includes(id)));
  const app = apps[0] as DemoApp;
  const [before, calls] = [await keys(), await callsOf()];
  for (const query of ['', '?exact=1'])
    for (let i = 0; i < 10; i += 1)
      await preflight(app, { ...randomAudience(pick), data: randomContent(pick), req_id: 'again' }, query);
  const alias = ['POST', '/push?preflight=1'] as const;
  expect(await fleet.callAsServer(app, alias, { data: { alert: 'x' } })).toMatchObject({ preflight: true });
  const requests = [{ method: 'POST', path: '/1.1/push?preflight=1', body: { data: { alert: 'x' } } }];
  const [element] = await fleet.callAsServer<{ success: unknown }[]>(app, ['POST', '/batch'], { requests });
  expect(element?.success).toMatchObject({ preflight: true });
  expect(await callsOf()).toEqual(calls);
  const isAsBefore = async (): Promise<true> => {
    expect((await keys()).filter((key) => !before.includes(key))).toEqual([]);
    return true;
  };
  await until(isAsBefore, { timeoutMs: 20_000 });
  redis.disconnect();
});

/** What the fleet at rest writes and forgets. */
const COMES_AND_GOES = /stalled-check|:reclaim$|:lease:|sweep|workers|:marker|gateways|processes/;

test('a slip never pushes', async () => {
  const app = apps[0] as DemoApp;
  const ask = (path: string, key: string): Promise<Response> =>
    fetch(`${fleet.url('ingress')}/1.1${path}`, {
      method: 'POST',
      headers: { 'x-lc-id': app.id, 'x-lc-key': key },
      body: writeJson({ data: { alert: 'x' } }),
    });
  const master = `${app.masterKey},master`;
  const calls = await callsOf();
  for (const query of ['preflight=', 'preflight=0', 'preflight=true', 'preflight=1&preflight=0'])
    expect([query, (await ask(`/push?${query}`, master)).status]).toEqual([query, 400]);
  expect((await ask('/push/preflight?exact=yes', master)).status).toBe(400);
  for (const path of ['/push/preflight', '/push?preflight=1']) expect((await ask(path, app.key)).status).toBe(403);
  expect((await ask('/push/preflights', master)).status).toBe(404);
  expect(await callsOf()).toEqual(calls);
});
