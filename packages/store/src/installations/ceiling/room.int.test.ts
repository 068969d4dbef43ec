import { anApp, anInstallation, until } from '@pushfleet/testing';
import { storeUnderTest } from '../../testing/store-under-test';
import type { Amount } from './amount';
import { AppFull } from './app-full';
import { openRoom } from './room';

const t = storeUnderTest();
const WANT = { installations: 1, bytes: 100 };

it('what has grown while somebody looked is not free', async () => {
  const app = anApp();
  await t.store.apps.create(app);
  await t.store.installations.save({
    app: app.id,
    body: anInstallation(),
    now: t.clock.now(),
    client: { columns: [], channelPrefixes: [] },
  });
  const { bytes } = await t.store.installations.room(app.id);
  let finish: (freed: Amount) => void = () => undefined;
  let evictions = 0;
  const room = openRoom({
    ...{ redis: t.redis, keys: t.keys, leases: t.store.leases, now: t.clock.now, onEvicted: async () => undefined },
    settings: async () => ({ limits: { ...app.limits, installations: 0, installationsBytes: bytes } }),
    ...{ memory: { share: async () => Infinity }, defaults: { installations: 0 } },
    evict: () => ((evictions += 1), new Promise((resolve) => (finish = resolve))),
  });
  const first = room.take(app.id, WANT);
  await until(() => evictions === 1);
  room.note(app.id, 5000);
  finish({ installations: 9, bytes: 2000 });
  await first;
  const second = room.take(app.id, WANT);
  await until(() => evictions === 2, { timeoutMs: 10_000 });
  finish({ installations: 9, bytes: 2000 });
  await second;
});

it('many large saves in many processes at once pass the ceiling by what one look of each gives away', async () => {
  const [app, processes, mib] = [anApp(), 8, 1024 * 1024];
  await t.store.apps.create(app);
  const saves = { installations: 1, bytes: 64 * 1024 };
  const bytes = t.keys.installationBytes(app.id, 0);
  const rooms = Array.from({ length: processes }, () =>
    openRoom({
      ...{ redis: t.redis, keys: t.keys, leases: t.store.leases, now: t.clock.now, onEvicted: async () => undefined },
      settings: async () => ({ limits: { ...app.limits, installations: 0, installationsBytes: 64 * mib } }),
      ...{ memory: { share: async () => Infinity }, defaults: { installations: 0 } },
      evict: async () => ({ installations: 0, bytes: 0 }),
    }),
  );
  // All that one process may hold of the bodies of an app.
  const save = async (room: (typeof rooms)[number]): Promise<unknown> => {
    await room.take(app.id, saves);
    return t.redis.incrby(bytes, saves.bytes);
  };
  const saved = await Promise.allSettled(rooms.flatMap((room) => Array.from({ length: 960 }, () => save(room))));
  for (const one of saved) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(AppFull);
  const taken = Number(await t.redis.get(bytes));
  expect(taken).toBeGreaterThanOrEqual(60 * mib);
  expect(taken).toBeLessThanOrEqual((64 + processes * 16) * mib);
});

it('looks again at an app that was full when the clock is set back', async () => {
  const app = anApp();
  await t.store.apps.create(app);
  const bytes = t.keys.installationBytes(app.id, 0);
  await t.redis.incrby(bytes, 100);
  let now = Date.now();
  const room = openRoom({
    ...{ redis: t.redis, keys: t.keys, leases: t.store.leases, now: () => now, onEvicted: async () => undefined },
    settings: async () => ({ limits: { ...app.limits, installations: 0, installationsBytes: 150 } }),
    ...{ memory: { share: async () => Infinity }, defaults: { installations: 0 } },
    evict: async () => ({ installations: 0, bytes: 0 }),
  });
  await expect(room.take(app.id, WANT)).rejects.toThrow(AppFull);
  await t.redis.decrby(bytes, 100);
  now -= 3_600_000;
  await room.take(app.id, WANT);
});
