import type { JsonObject } from '@pushfleet/domain';
import { anInstallation, seededRandom, unique } from '@pushfleet/testing';
import { expectSound } from '../testing/expect-sound';
import { jittered } from '../testing/jittered';
import { mortal } from '../testing/mortal';
import { storeUnderTest } from '../testing/store-under-test';
import type { InstallationStore } from '.';

const t = storeUnderTest();
const seed = Number(process.env['SEED'] ?? 20_261_121);
const rounds = Number(process.env['ROUNDS'] ?? 25);
const { below, pick } = seededRandom(seed);

interface Save {
  readonly app: string;
  readonly body: JsonObject;
  readonly objectId?: string;
  readonly installations?: InstallationStore;
}

/** The objectId that the save is answered with. */
async function saved({ installations = t.store.installations, ...request }: Save): Promise<string> {
  const answer = await installations.save({ ...request, now: t.clock.now() });
  if (!answer) throw new Error('not saved');
  return answer.installation.objectId;
}

const aDevice = (app: string, fields: object = {}): Promise<string> =>
  saved({ app, body: anInstallation({ ...fields }) });

/** A record that may get a name. */
const aNameless = (app: string): Promise<string> => aDevice(app, { installationId: undefined });

async function holdersOf(app: string, installationId: string): Promise<readonly string[]> {
  const request = { app, where: { installationId }, limit: 10, skip: 0, count: false };
  // Read whole: a search for an installationId asks the look-up.
  const { results } = await t.store.installations.find({ ...request, where: {} });
  return results.filter((one) => one['installationId'] === installationId).map(({ objectId }) => objectId);
}

const lookUpOf = (app: string, installationId: string): Promise<string | null> => {
  const { key, field } = t.keys.lookUp(app, 'installationId', installationId);
  return t.redis.hget(key, field);
};

/** Every command late, now and then later than anybody waits for another to settle. */
const late = (): InstallationStore =>
  t.open({ redis: jittered(t.redis, () => (below(40) === 0 ? 5000 : below(12))) }).installations;

describe('an installationId', () => {
  it('that another record has stays with it, and the one that asked keeps its own', async () => {
    const app = unique('app');
    const [mine, other] = [await aDevice(app, { installationId: 'm' }), await aDevice(app, { installationId: 'o' })];
    expect(await saved({ app, body: { installationId: 'o', city: 'Oslo' }, objectId: mine })).toBe(other);
    expect([await holdersOf(app, 'o'), await holdersOf(app, 'm')]).toEqual([[other], [mine]]);
    expect([await lookUpOf(app, 'o'), await lookUpOf(app, 'm')]).toEqual([other, mine]);
  });

  it.each([
    ['at the same moment', () => t.open().installations],
    ['however late each of their steps', late],
  ])('that several records take at once, %s, is one record’s, which all are told', async (_name, open) => {
    for (let round = 0; round < 20; round += 1) {
      const app = unique('app');
      const devices = await Promise.all(Array.from({ length: 4 }, () => aNameless(app)));
      const answers = await Promise.all(
        devices.map((objectId, i) =>
          saved({ app, body: { installationId: 'x', [`f${i}`]: i }, objectId, installations: open() }),
        ),
      );
      const holders = await holdersOf(app, 'x');
      expect(holders).toHaveLength(1);
      expect(new Set(answers)).toEqual(new Set(holders));
      expect(await lookUpOf(app, 'x')).toBe(holders[0]);
      const holder = await t.store.installations.get(app, holders[0] ?? '');
      expect(holder).toMatchObject({ f0: 0, f1: 1, f2: 2, f3: 3 });
      expect(await t.store.installations.count(app)).toBe(4);
      await expectSound(t, app);
    }
  });

  it('that a record takes while a new device brings it is one record’s', async () => {
    for (let round = 0; round < 30; round += 1) {
      const app = unique('app');
      const mine = await aNameless(app);
      const answers = await Promise.all([
        saved({ app, body: { installationId: 'x', a: 1 }, objectId: mine, installations: late() }),
        saved({ app, body: anInstallation({ installationId: 'x', b: 2 }), installations: late() }),
      ]);
      const holders = await holdersOf(app, 'x');
      expect(new Set(answers)).toEqual(new Set(holders));
      expect(await t.store.installations.get(app, holders[0] ?? '')).toMatchObject({ a: 1, b: 2 });
      await expectSound(t, app);
    }
  });

  it.each([
    ['first save', undefined, { channels: ['not a name'] }],
    ['rename', 'mine', { channels: ['not a name'] }],
  ])('that a refused %s brought is nobody’s', async (_name, of, refused) => {
    const app = unique('app');
    const mine = await aDevice(app);
    const body = anInstallation({ installationId: 'x', ...refused });
    const request = of === undefined ? { app, body } : { app, body, objectId: mine };
    await expect(saved(request)).rejects.toThrow();
    expect(await lookUpOf(app, 'x')).toBeNull();
  });

  it('that a conditional save brought which did not match is nobody’s', async () => {
    const app = unique('app');
    const request = { app, body: { installationId: 'x' }, objectId: await aDevice(app), now: t.clock.now() };
    expect(await t.store.installations.saveIf({ ...request, where: { city: 'Oslo' } })).toBe('unmatched');
    expect(await lookUpOf(app, 'x')).toBeNull();
  });

  it('whose look-up names nobody is free for a record to take', async () => {
    const app = unique('app');
    const mine = await aNameless(app);
    const { key, field } = t.keys.lookUp(app, 'installationId', 'x');
    await t.redis.hset(key, field, 'nobody');
    expect(await saved({ app, body: { installationId: 'x' }, objectId: mine })).toBe(mine);
    expect([await holdersOf(app, 'x'), await lookUpOf(app, 'x')]).toEqual([[mine], mine]);
  });

  it('whose look-up names a record that has another one makes a new record, and leaves that one alone', async () => {
    const app = unique('app');
    const other = await aDevice(app, { installationId: 'o' });
    const { key, field } = t.keys.lookUp(app, 'installationId', 'x');
    await t.redis.hset(key, field, other);
    const mine = await saved({ app, body: anInstallation({ installationId: 'x' }) });
    expect([await holdersOf(app, 'x'), await holdersOf(app, 'o')]).toEqual([[mine], [other]]);
    expect(await lookUpOf(app, 'x')).toBe(mine);
  });

  it('of whoever died before it was stored leads to no record that does not have it', async () => {
    const app = unique('app');
    const objectId = await aNameless(app);
    const { inspect } = t.store.installations;
    for (let commands = 1; (await lookUpOf(app, 'x')) === null; commands += 1) {
      const { installations } = t.open({ redis: mortal(t.redis, commands) });
      await expect(saved({ app, body: { installationId: 'x' }, objectId, installations })).rejects.toThrow('killed');
    }
    expect([await lookUpOf(app, 'x'), await holdersOf(app, 'x')]).toEqual([objectId, []]);
    expect([await inspect(app, 'x'), (await inspect(app, objectId))?.installation.objectId]).toEqual([
      undefined,
      objectId,
    ]);
  });
});

it(`renames, saves, removals and imports at once leave each name one record (seed ${seed})`, async () => {
  const names = ['x', 'y', 'z'];
  for (let round = 0; round < rounds; round += 1) {
    const app = unique('app');
    const devices = await Promise.all(
      [...names, undefined, undefined].map((installationId) => aDevice(app, { installationId })),
    );
    const moves = Array.from({ length: 8 }, async () => {
      t.clock.advance(1);
      const [objectId, installationId, installations] = [pick(devices), pick([...names, 'w']), late()];
      const kind = below(8);
      if (kind === 0) await installations.remove(app, objectId);
      else if (kind === 1) await saved({ app, body: anInstallation({ installationId }), installations });
      else if (kind === 2) {
        const stamp = new Date(t.clock.now()).toISOString();
        const doc = anInstallation({ installationId, createdAt: stamp, updatedAt: stamp });
        await installations.import(app, [{ objectId: unique('o'), doc }]);
      } else await saved({ app, body: { installationId, n: kind }, objectId, installations });
    });
    await Promise.all(moves);
    await expectSound(t, app);
  }
}, 2_400_000);
