import type { JsonObject } from '@pushfleet/domain';
import { anInstallation, seededRandom, unique } from '@pushfleet/testing';
import { shardOf } from '../../kit/shards';
import { Interleaving } from '../../testing/interleaving';
import { storeUnderTest } from '../../testing/store-under-test';
import type { InstallationStore } from '..';

const t = storeUnderTest();
const seed = Number(process.env['SEED'] ?? 20_261_123);
const rounds = Number(process.env['ROUNDS'] ?? 40);
const { below, pick } = seededRandom(seed);

const NAMES = ['n1', 'n2'];
const REGISTRATIONS = ['r1', 'r2'];
const APP_KEY = { columns: [], channelPrefixes: [] };
const KINDS = ['installationId', 'registrationId'] as const;

const aBody = (): JsonObject =>
  anInstallation({
    installationId: pick([...NAMES, undefined]),
    registrationId: pick([...REGISTRATIONS, undefined]),
    city: pick(['Rome', 'Oslo']),
  });

function aRow(objectId: string) {
  const updatedAt = new Date(t.clock.now() + below(5) - 2).toISOString();
  return { objectId, doc: { ...aBody(), createdAt: updatedAt, updatedAt } };
}

/** One of the things that happen to installations. */
function aMove(app: string, installations: InstallationStore, objectIds: readonly string[]): Promise<unknown> {
  const objectId = pick(objectIds);
  const now = t.clock.now();
  const client = below(2) === 0 ? { client: APP_KEY } : {};
  switch (below(7)) {
    case 0:
      return installations.remove(app, objectId);
    case 1:
      return installations.import(app, [aRow(pick([objectId, unique('o')])), aRow(unique('o'))]);
    case 2:
      return installations.retire(app, { objectId, registrationId: pick(REGISTRATIONS) });
    case 3:
      return installations.save({ app, body: { registrationId: pick(REGISTRATIONS) }, objectId, now, ...client });
    case 4:
      return installations.save({ app, body: { installationId: pick(NAMES) }, objectId, now, ...client });
    default:
      return installations.save({ app, body: aBody(), now, ...client });
  }
}

/** What holds at every moment, whoever is in the middle of what: an id that a record has leads to it, and to it alone. */
async function expectExclusive(app: string, keys: ReadonlySet<string>): Promise<void> {
  const records = [...keys].filter((key) => key.endsWith(':rec'));
  const ids = (await Promise.all(records.map((key) => t.redis.hkeys(key)))).flat();
  const found = await Promise.all(ids.map((objectId) => t.store.installations.get(app, objectId)));
  for (const installation of found) {
    for (const kind of KINDS) {
      const value = installation?.[kind];
      if (typeof value !== 'string') continue;
      const { key, field } = t.keys.lookUp(app, kind, value);
      expect([kind, value, await t.redis.hget(key, field)]).toEqual([kind, value, installation?.objectId]);
    }
  }
}

async function someInstallations(app: string): Promise<readonly string[]> {
  const bodies = [
    { installationId: 'n1', registrationId: 'r1' },
    { installationId: undefined, registrationId: 'r2' },
  ];
  const saved = bodies.map((ids) => t.store.installations.save({ app, body: anInstallation(ids), now: t.clock.now() }));
  return (await Promise.all(saved)).map((one) => one?.installation.objectId ?? '');
}

describe.each([
  ['nobody is cut off', Infinity],
  ['some are cut off between two commands', 25],
])('of processes that do this and that to the same ids, while %s', (_name, oneIn) => {
  it(`an id leads to the one record that has it, at every moment (seed ${seed})`, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const app = unique('app');
      const objectIds = await someInstallations(app);
      t.clock.advance(10);
      const interleaving = new Interleaving(t.redis, below);
      const works = Array.from({ length: 5 }, () =>
        aMove(app, t.open({ redis: interleaving.connection() }).installations, objectIds),
      );
      const keys = new Set(objectIds.map((objectId) => t.keys.records(app, shardOf(objectId))));
      const onStep = () => expectExclusive(app, new Set([...keys, ...interleaving.keys]));
      await interleaving.run(works, { oneIn, onStep });
      await expectMended(app);
      await onStep();
    }
  }, 600_000);
});

/** Whatever was left undone, the next save of a device makes good. */
async function expectMended(app: string): Promise<void> {
  for (const [i, installationId] of NAMES.entries()) {
    t.clock.advance(10);
    const body = anInstallation({ installationId, registrationId: REGISTRATIONS[i] });
    const saved = await t.store.installations.save({ app, body, now: t.clock.now() });
    const where = { registrationId: REGISTRATIONS[i] ?? '' };
    const { results } = await t.store.installations.find({ app, where, limit: 9, skip: 0, count: false });
    expect(results.map(({ objectId }) => objectId)).toEqual([saved?.installation.objectId]);
  }
}
