import type { Json, JsonObject } from '@pushfleet/domain';
import { anInstallation, seededRandom, unique } from '@pushfleet/testing';
import { storeUnderTest } from '../testing/store-under-test';

const t = storeUnderTest();
const seed = Number(process.env['SEED'] ?? 20_261_123);
const { below, pick } = seededRandom(seed);

const CLIENT = { columns: ['level'], channelPrefixes: ['user-'] };

/** What a comparison of texts could mistake for something else. */
const VALUES: readonly Json[] = [
  ...['', 'a', '"', '\\', '\\"', '}', ',"updatedAt":"2026-01-01T00:00:00.000Z"', '中\n'],
  ...[0, 1.5, -1, 1e21, true, false, null, [], {}, [[]], [{}], { a: [1, { b: '}' }] }],
  ...[9_007_199_254_740_993n, { updatedAt: '2030-01-01T00:00:00.000Z', $struck: 1, city: 'a' }],
  ...[{ __op: 'Increment' }, { __op: 'Delete' }, { __op: 'AddUnique', objects: ['x'] }],
] as readonly Json[];

const FIELDS = ['city', 'custom', 'level', 'a1'];

function randomBody(): JsonObject {
  const some = FIELDS.filter(() => below(2) === 0).map((name) => [name, pick(VALUES)] as const);
  const known = [
    ['channels', pick([['a'], ['user-1', 'a'], [], ['b', 'a']])],
    ['valid', pick([true, false])],
    ['vendor', pick(['HMS', 'mi'])],
    ['registrationId', pick(['r1', 'r2', ''])],
  ] as const;
  return Object.fromEntries([...some, ...known.filter(() => below(3) === 0)]) as JsonObject;
}

/** Without what differs between two apps; the long way moves channels that are not the client's to the end. */
async function shownOf(app: string, installationId: string): Promise<JsonObject> {
  const found = await t.store.installations.inspect(app, installationId);
  const { objectId: _, ...shown } = found?.installation ?? { objectId: '' };
  const { channels } = shown as JsonObject;
  return { ...shown, ...(Array.isArray(channels) ? { channels: [...channels].sort() } : {}) };
}

/** The same in both apps, or refused in both. */
const inBoth = (apps: readonly string[], work: (app: string, isLongWay: boolean) => Promise<unknown>) =>
  Promise.all(apps.map((app, i) => work(app, i === 1).catch((error: Error) => error.message.replaceAll(app, ''))));

it(`a save that Redis finds to change nothing is what the long way makes of it (seed ${seed})`, async () => {
  let refreshes = 0;
  for (let round = 0; round < 60; round += 1) {
    const apps = [unique('app'), unique('app')];
    const first: JsonObject = {
      ...anInstallation({ valid: undefined }),
      ...(below(2) === 0 ? {} : { custom: pick(VALUES) }),
    };
    const recent = [randomBody(), randomBody()];
    const save = (body: JsonObject, client: object) =>
      inBoth(apps, async (app, isLongWay) => {
        const request = { app, body: { ...body, installationId: first['installationId'] ?? '' }, now: t.clock.now() };
        const { installations } = t.store;
        // A condition that holds for everything: the save is made with a look at the record.
        if (isLongWay) await installations.saveIf({ ...request, ...client, where: {}, mayCreate: true });
        else await installations.save({ ...request, ...client });
      });
    await save(first, {});
    for (let i = 0; i < 6; i += 1) {
      t.clock.advance(1000);
      const by = below(2) === 0 ? { client: CLIENT } : {};
      const [one, other] = await save(pick(recent), by);
      expect(one).toEqual(other);
      const shown = await Promise.all(apps.map(async (app) => shownOf(app, String(first['installationId']))));
      expect(shown[0]).toEqual(shown[1]);
      if (one === undefined && shown[0]?.['updatedAt'] === new Date(t.clock.now()).toISOString()) refreshes += 1;
    }
  }
  expect(refreshes).toBeGreaterThan(40);
});

it('a save in the moment of the last one, or before it, leaves the record as it is', async () => {
  const body = anInstallation();
  const save = (now: number) => t.store.installations.save({ app: t.app, body, now });
  const first = await save(t.clock.now());
  expect((await save(t.clock.now()))?.installation).toEqual(first?.installation);
  expect((await save(t.clock.now() - 60_000))?.installation).toEqual(first?.installation);
});

it('a large record is compared here, and saved like any other', async () => {
  const body = anInstallation({ big: 'x'.repeat(10_000) });
  const first = await t.store.installations.save({ app: t.app, body, now: t.clock.now() });
  t.clock.advance(1000);
  const again = await t.store.installations.save({ app: t.app, body, now: t.clock.now() });
  const updatedAt = new Date(t.clock.now()).toISOString();
  expect(again?.installation).toEqual({ ...first?.installation, updatedAt });
});
