import { anApp, until } from '@pushfleet/testing';
import { storeUnderTest } from '../testing/store-under-test';

const t = storeUnderTest();

it('a process that took over a change works with it, though what it remembered is still good', async () => {
  const app = anApp({ hybrid: false });
  await t.store.apps.create(app);
  const other = t.open();
  await other.settings.take();
  const seen = async (): Promise<unknown> => [
    (await other.apps.getCached(app.id))?.hybrid,
    (await other.apps.settings(app.id))?.hybrid,
    [...(await other.profiles.names(app.id))],
  ];
  expect(await seen()).toEqual([false, false, []]);
  await t.store.apps.update(app.id, (stored) => ({ ...stored, hybrid: true }));
  await t.store.profiles.put({ app: app.id, channel: 'hms', profile: '_default' }, { value: {}, receiptKey: 'r' });
  expect(await seen()).toEqual([false, false, []]);
  const version = await t.store.settings.changed();
  expect(await other.settings.take()).toBe(true);
  expect(await seen()).toEqual([true, true, ['hms/_default']]);
  expect(other.settings.known()).toBe(version);
  expect(await other.settings.take()).toBe(false);
});

it('what a process works with stands in its beat', async () => {
  const other = t.open();
  const process = { id: 'host-1-a', role: 'ingress', labels: {}, version: '1.2.3', since: 1 };
  await other.processes.beat(process);
  expect((await other.processes.list())[0]).not.toHaveProperty('settings');
  const version = await t.store.settings.changed();
  await other.settings.take();
  await other.processes.beat(process);
  expect(await t.store.processes.list()).toMatchObject([{ id: process.id, settings: version }]);
});

it('a version is later than every one before, also when Redis lost it or its clock went back', async () => {
  const before = await t.store.settings.changed();
  expect(await t.store.settings.changed()).toBeGreaterThan(before);
  await until(() => Date.now() > before + 1);
  await t.redis.del(t.keys.settings());
  expect(await t.store.settings.changed()).toBeGreaterThan(before + 1);
  const ahead = before + 3_600_000;
  await t.redis.set(t.keys.settings(), ahead);
  expect(await t.store.settings.changed()).toBe(ahead + 1);
});

it('a process tells that Redis has lost changes which it knows, once, and nothing of changes that it does not know', async () => {
  const other = t.open();
  const told: unknown[] = [];
  other.settings.onLost((known, left) => void told.push([known, left]));
  const first = await t.store.settings.changed();
  await other.settings.take();
  const second = await t.store.settings.changed();
  await other.settings.take();
  await other.settings.take();
  expect(told).toEqual([]);
  await t.redis.set(t.keys.settings(), first);
  await other.settings.take();
  await other.settings.take();
  expect(told).toEqual([[second, first]]);
  await t.redis.del(t.keys.settings());
  await other.settings.take();
  expect(told.slice(1)).toEqual([[first, 0]]);
  expect(other.settings.known()).toBe(0);
});

it('a change that could not be taken over is taken over later', async () => {
  const other = t.open();
  let isBroken = true;
  other.settings.onChange(() => (isBroken ? Promise.reject(new Error('Redis is away')) : undefined));
  await expect(other.settings.take()).rejects.toThrow('Redis is away');
  expect(other.settings.known()).toBeUndefined();
  isBroken = false;
  expect(await other.settings.take()).toBe(true);
});
