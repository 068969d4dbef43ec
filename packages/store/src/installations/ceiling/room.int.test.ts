import { anApp, anInstallation, until } from '@pushfleet/testing';
import { storeUnderTest } from '../../testing/store-under-test';
import type { Amount } from './amount';
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
    ...{ redis: t.redis, keys: t.keys, now: t.clock.now, onEvicted: async () => undefined },
    settings: async () => ({ limits: { ...app.limits, installations: 0, installationsBytes: bytes } }),
    ...{ memory: { totalBytes: async () => 0 }, defaults: { installations: 0 } },
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
