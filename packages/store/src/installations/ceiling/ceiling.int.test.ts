import type { JsonObject } from '@pushfleet/domain';
import { anApp, anInstallation, countCommands, unique } from '@pushfleet/testing';
import { Cluster } from 'ioredis';
import type { InstallationStore } from '..';
import { dumpInstallations } from '../../testing/dump';
import { expectCounted } from '../../testing/expect-counted';
import { expectSound } from '../../testing/expect-sound';
import { storeUnderTest } from '../../testing/store-under-test';

const t = storeUnderTest();
const APP_KEY = { columns: [], channelPrefixes: [] };
const FLOOD = '203.0.113.9';
const MINUTE = 60_000;

interface Saving {
  readonly app: string;
  readonly body?: JsonObject;
  readonly address?: string;
  readonly installations?: InstallationStore;
  readonly isMaster?: boolean;
}

/** Resolves with the objectId. */
async function save({ app, body = anInstallation(), address, installations, isMaster }: Saving): Promise<string> {
  const by = isMaster === true ? {} : { client: APP_KEY, address };
  const saved = await (installations ?? t.store.installations).save({ app, body, now: t.clock.now(), ...by });
  if (!saved) throw new Error('not saved');
  return saved.installation.objectId;
}

async function anAppWith(limits: { installations?: number; installationsBytes?: number }): Promise<string> {
  const app = anApp();
  await t.store.apps.create({ ...app, limits: { ...app.limits, ...limits } });
  return app.id;
}

const confirm = async (app: string, ...objectIds: readonly string[]): Promise<void> => {
  t.store.confirmations.note(app, 'objectId', objectIds);
  await t.store.confirmations.flush();
};

const flood = async (app: string, count: number): Promise<void> => {
  for (let i = 0; i < count; i += 1) await save({ app, address: FLOOD });
};

const exists = async (app: string, objectId: string): Promise<boolean> =>
  (await t.store.installations.get(app, objectId)) !== undefined;

const times = <T>(count: number, make: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)));

describe('an app that has as many installations as it may', () => {
  it('stays at its ceiling whatever the app key makes, and keeps what was confirmed', async () => {
    const app = await anAppWith({ installations: 60 });
    const mine = await times(20, () => save({ app }));
    await confirm(app, ...mine);
    for (let round = 0; round < 12; round += 1) await times(10, () => save({ app, address: FLOOD }));
    const { installations, unconfirmed, evicted } = await t.store.installations.room(app);
    // Beside those that are counted there may be some under way.
    expect(installations).toBeLessThanOrEqual(60 + 10);
    expect({ unconfirmed, evicted }).toEqual({ unconfirmed: installations - 20, evicted: 140 - installations });
    expect(await Promise.all(mine.map((id) => exists(app, id)))).toEqual(mine.map(() => true));
    await expectSound(t, app);
    await expectCounted(t, app);
  });

  it('passes it by no more than what is under way when several processes save at once', async () => {
    const app = await anAppWith({ installations: 160 });
    const processes = Array.from({ length: 4 }, () => t.open().installations);
    for (let round = 0; round < 7; round += 1) {
      await times(40, (i) => save({ app, address: FLOOD, installations: processes[i % 4] as InstallationStore }));
      // Of each process a sixteenth of the ceiling, or the ten saves of the round.
      expect(await t.store.installations.count(app)).toBeLessThanOrEqual(160 + 4 * 10);
    }
    expect(await t.store.installations.count(app)).toBeGreaterThanOrEqual(150);
    await expectCounted(t, app);
  });

  it('lets no more go than one process would when several want room at once', async () => {
    const app = await anAppWith({ installations: 160 });
    const processes = Array.from({ length: 4 }, () => t.open().installations);
    await flood(app, 160);
    await Promise.all(processes.map((installations) => save({ app, address: FLOOD, installations })));
    // One that is over, and a spare of a thirty-second of the ceiling.
    expect(await t.store.installations.room(app)).toMatchObject({ installations: 158, evicted: 6 });
    await expectCounted(t, app);
  });

  it('makes room although a process was killed while it made some', async () => {
    const app = await anAppWith({ installations: 20 });
    await flood(app, 20);
    await t.redis.set(t.keys.lease(`room ${app}`), 'a process that is gone', 'PX', 600_000);
    const mine = await save({ app });
    expect(await exists(app, mine)).toBe(true);
    expect(await t.store.installations.room(app)).toMatchObject({ evicted: 1 });
    await expectCounted(t, app);
  });

  it('lets a new device in while somebody floods it, and it is not the one that goes next', async () => {
    const app = await anAppWith({ installations: 20 });
    const early = await times(5, (i) => save({ app, address: `198.51.100.${i}` }));
    t.clock.advance(10 * MINUTE);
    await flood(app, 24);
    const real = await save({ app, address: '192.0.2.1' });
    await flood(app, 40);
    expect(await Promise.all([...early, real].map((id) => exists(app, id)))).toEqual([...early, real].map(() => true));
  });

  it('lets go the oldest first when all come from one address', async () => {
    const app = await anAppWith({ installations: 10 });
    const ids: string[] = [];
    for (let i = 0; i < 14; i += 1) {
      ids.push(await save({ app, address: FLOOD }));
      t.clock.advance(MINUTE);
    }
    expect(await Promise.all(ids.map((id) => exists(app, id)))).toEqual(ids.map((_, i) => i >= 4));
  });

  it('refuses a new one when all are confirmed, leaves nothing of it behind, and serves those that exist', async () => {
    const app = await anAppWith({ installations: 8 });
    const body = anInstallation({ channels: ['news'] });
    const mine = [await save({ app, body }), ...(await times(7, () => save({ app })))];
    await confirm(app, ...mine);
    const before = await dumpInstallations(t, app);
    const refused = {
      name: 'AppFull',
      message: expect.stringMatching(/^limits\.installations: .* at most 8 /) as string,
    };
    await expect(save({ app })).rejects.toMatchObject(refused);
    await expect(save({ app, isMaster: true })).rejects.toMatchObject(refused);
    expect(await dumpInstallations(t, app)).toEqual(before);
    expect(await save({ app, body: { ...body, registrationId: unique('r'), channels: ['a', 'b'] } })).toBe(mine[0]);
    await t.store.installations.remove(app, mine[7] ?? '');
    await save({ app });
    expect(await t.store.installations.count(app)).toBe(8);
  });

  it.each(['installationId', 'registrationId'] as const)('keeps a device that is known by its %s', async (by) => {
    const app = await anAppWith({ installations: 8 });
    const body = anInstallation();
    const mine = await save({ app, body, address: FLOOD });
    t.store.confirmations.note(app, by, [String(body[by]), 'unknown']);
    await t.store.confirmations.flush();
    await flood(app, 30);
    expect(await exists(app, mine)).toBe(true);
  });

  it.each([3, 1000])('confirms those of %d devices that are not yet, and no others', async (count) => {
    const app = await anAppWith({ installations: 5000 });
    const taken = Array.from({ length: count }, () => ({ objectId: unique('o'), doc: anInstallation() }));
    await t.store.installations.import(app, taken);
    const [mine, others] = [await times(20, () => save({ app })), await times(20, () => save({ app }))];
    await confirm(app, ...taken.map(({ objectId }) => objectId), ...mine, ...mine);
    expect(await t.store.installations.room(app)).toMatchObject({ installations: count + 40, unconfirmed: 20 });
    await confirm(app, ...others);
    expect(await t.store.installations.room(app)).toMatchObject({ unconfirmed: 0 });
  });

  it('keeps what the master key has saved or imported', async () => {
    const app = await anAppWith({ installations: 8 });
    const [one, other] = [anInstallation(), anInstallation()];
    const mine = [await save({ app, body: one, isMaster: true }), await save({ app, body: other })];
    await save({ app, body: { ...other, city: 'Oslo' }, isMaster: true });
    const [imported] = await t.store.installations.import(app, [{ objectId: 'imported', doc: anInstallation() }]);
    expect(imported).toBe('created');
    await flood(app, 30);
    expect(await Promise.all([...mine, 'imported'].map((id) => exists(app, id)))).toEqual([true, true, true]);
  });

  it('takes an import as a whole or not at all, and again what it has', async () => {
    const app = await anAppWith({ installations: 20 });
    await times(15, () => save({ app, address: FLOOD }));
    const rows = (count: number) =>
      Array.from({ length: count }, () => ({ objectId: unique('o'), doc: anInstallation() as JsonObject }));
    const mine = rows(20);
    await t.store.installations.import(app, mine);
    expect(await t.store.installations.room(app)).toMatchObject({ installations: 20, unconfirmed: 0, evicted: 15 });
    await expect(t.store.installations.import(app, [...mine, ...rows(1)])).rejects.toMatchObject({ name: 'AppFull' });
    expect(new Set(await t.store.installations.import(app, mine))).toEqual(new Set(['unchanged']));
    expect(await t.store.installations.count(app)).toBe(20);
    await expectCounted(t, app);
  });

  it('comes down to a ceiling that was lowered with what it takes anew', async () => {
    const app = await anAppWith({});
    await times(100, () => save({ app, address: FLOOD }));
    await t.store.apps.update(app, (now) => ({ ...now, limits: { ...now.limits, installations: 40 } }));
    await save({ app });
    expect(await t.store.installations.count(app)).toBe(40);
  });
});

describe('an app that has as many bytes as it may', () => {
  const BYTES = 400_000;

  it.each<[string, JsonObject]>([
    ['large', { junk: 'x'.repeat(30_000) }],
    ['subscribed to many channels of their own', {}],
  ])('stays there with installations that are %s', async (_, body) => {
    const app = await anAppWith({ installationsBytes: BYTES });
    const confirmed = await save({ app });
    await confirm(app, confirmed);
    const channels = () => Array.from({ length: 200 }, () => unique('c'));
    for (let i = 0; i < 60; i += 1)
      await save({ app, body: anInstallation(body.junk ? body : { channels: channels() }), address: FLOOD });
    expect((await t.store.installations.room(app)).bytes).toBeLessThanOrEqual(BYTES);
    expect(await exists(app, confirmed)).toBe(true);
    await expectCounted(t, app);
  });

  it('serves refreshes, but does not let what exists become much larger', async () => {
    const app = await anAppWith({ installationsBytes: 12_000 });
    const body = anInstallation();
    const mine = [await save({ app, body }), await save({ app })];
    await confirm(app, ...mine);
    await expect(save({ app, body: anInstallation({ junk: 'x'.repeat(20_000) }) })).rejects.toMatchObject({
      message: expect.stringMatching(/^limits\.installationsBytes: .* at most 12000 /) as string,
    });
    await expect(save({ app, body: { ...body, junk: 'x'.repeat(20_000) } })).rejects.toMatchObject({ name: 'AppFull' });
    expect(await save({ app, body: { ...body, city: 'x'.repeat(2000), registrationId: unique('r') } })).toBe(mine[0]);
    await expectCounted(t, app);
  });

  it('serves a large one that stays as large as it is, or shrinks a little', async () => {
    const app = await anAppWith({ installationsBytes: 12_000 });
    const body = anInstallation({ junk: '中'.repeat(3000), channels: ['a', 'b', 'c'] });
    await save({ app, body, isMaster: true });
    await expect(save({ app, body: anInstallation({ junk: 'x'.repeat(9000) }) })).rejects.toMatchObject({
      name: 'AppFull',
    });
    await save({ app, body: { ...body, junk: '文'.repeat(3000) } });
    await save({ app, body: { ...body, junk: '文'.repeat(2999) } });
    await expect(save({ app, body: { ...body, junk: '文'.repeat(4000) } })).rejects.toMatchObject({ name: 'AppFull' });
  });

  it('lets those that exist grow together past it by no more than what is under way', async () => {
    const app = await anAppWith({ installationsBytes: BYTES });
    const bodies = Array.from({ length: 60 }, () => anInstallation());
    for (const body of bodies) await save({ app, body, isMaster: true });
    const { bytes: before } = await t.store.installations.room(app);
    const [atOnce, growth] = [10, 20_000];
    for (let at = 0; at < bodies.length; at += atOnce) {
      const some = bodies.slice(at, at + atOnce);
      const grown = some.map((body) => save({ app, body: { ...body, junk: 'x'.repeat(growth) } }));
      await Promise.allSettled(grown);
      // What was learned of the app is looked at again.
      t.clock.advance(2000);
    }
    const { bytes } = await t.store.installations.room(app);
    expect(bytes).toBeGreaterThan(before);
    expect(bytes).toBeLessThanOrEqual(BYTES + atOnce * growth);
    await expectCounted(t, app);
  });

  it('lets installations go that grew after they were made', async () => {
    const app = await anAppWith({ installationsBytes: BYTES });
    const bodies = Array.from({ length: 30 }, () => anInstallation());
    for (const body of bodies) await save({ app, body, address: FLOOD });
    for (const body of bodies) await save({ app, body: { ...body, junk: 'x'.repeat(30_000) }, address: FLOOD });
    await save({ app });
    expect((await t.store.installations.room(app)).bytes).toBeLessThanOrEqual(BYTES);
  });
});

it('an evicted installation is gone as a deleted one is', async () => {
  const app = await anAppWith({ installations: 1 });
  const body = () => anInstallation({ channels: ['news'], deviceToken: unique('token') });
  const stayed = body();
  const first = await save({ app, body: stayed, isMaster: true });
  await t.store.installations.remove(app, first);
  /** Without the count, and the index of channels, which is looked through apart. */
  const rest = async (): Promise<readonly string[]> => {
    const beside = [t.keys.evictions(app), ...Array.from({ length: 256 }, (_, i) => t.keys.channelShards(app, i))];
    return (await dumpInstallations(t, app)).filter((line) => !beside.some((key) => line.startsWith(`${key} `)));
  };
  const empty = await rest();
  await save({ app, body: body() });
  await save({ app, body: body() });
  const [left] = (await t.store.installations.find({ app, where: {}, limit: 9, skip: 0, count: false })).results;
  await t.store.installations.remove(app, left?.objectId ?? '');
  expect(await rest()).toEqual(empty);
});

it('what an earlier release did not count is counted with the next sweep', async () => {
  const app = await anAppWith({ installations: 10 });
  const ids = await times(10, () => save({ app }));
  for (let shard = 0; shard < 256; shard += 1) await t.redis.del(t.keys.installationBytes(app, shard));
  await t.store.installations.remove(app, ids[0] ?? '');
  for (let shard = 0; shard < 256; shard += 1)
    await t.store.installations.sweep(app, shard, { stale: 0, dead: 0, ending: 0 });
  await expectCounted(t, app);
});

it('an app without a number of its own has a share of the memory of Redis, or what the fleet says', async () => {
  const app = await anAppWith({});
  const open = t.open({ ceiling: { installations: 5, bytes: 1_000_000 } });
  expect((await open.installations.room(app)).ceiling).toEqual({ installations: 5, bytes: 1_000_000 });
  const unbounded = await anAppWith({ installations: 0, installationsBytes: 0 });
  expect((await open.installations.room(unbounded)).ceiling).toEqual({ installations: Infinity, bytes: Infinity });
});

it('is looked at in a handful of commands where all of an app is on one Redis', async () => {
  const app = await anAppWith({});
  for (let i = 0; i < 20; i += 1) await save({ app, isMaster: true });
  const commands = await countCommands(t.redis, t.keys.namespace);
  const sent = await commands.during(() => t.store.installations.room(app));
  commands.close();
  if (!(t.redis instanceof Cluster)) expect(sent.length).toBeLessThan(10);
  expect(await t.store.installations.room(app)).toMatchObject({ installations: 20 });
});
