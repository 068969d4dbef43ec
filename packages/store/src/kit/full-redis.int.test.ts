import { anApp, mastersOf, SECRET_KEY } from '@pushfleet/testing';
import { openStore } from '../open-store';
import { Books } from '../pushes/books';
import type { NewPush } from '../pushes/new-push';
import { ownRedis } from '../testing/own-redis';

const own = ownRedis();
const now = Date.now();

const limitMemory = async (bytes: string): Promise<void> =>
  void (await Promise.all(mastersOf(own.redis).map((master) => master.config('SET', 'maxmemory', bytes))));
afterEach(() => limitMemory('0'));

const pushOf = (app: string): NewPush => ({
  ...{ app, content: { data: { alert: 'hi' }, sections: {} }, audience: {}, where: {}, prod: 'prod' },
  ...{ pushTime: now, expiresAt: now + 3_600_000, isScheduled: false },
});

test('a Redis that takes nothing more lets go of what it has: by folds, cancels, receipts, texts and devices', async () => {
  const store = openStore({ redis: own.redis, namespace: 'full', secretKey: SECRET_KEY, vendors: new Map() });
  const { id: app } = anApp();
  const accepted = await store.acceptPushes([pushOf(app), pushOf(app)]);
  const [sent = '', cancelled = ''] = accepted.map(({ pushId }) => pushId);
  const page = {
    channel: 'hms',
    profile: '_default',
    devices: [['d', 'r']] as const,
    dueAt: 0,
    tries: 0,
    direct: true,
  };
  const planned = new Books('hms');
  for (const name of ['matched', 'outstanding']) planned.add(name, 1);
  const held = new Books('own');
  for (const name of ['matched', 'accepted']) held.add(name, 1);
  await store.ledger.plan({ pushId: sent, lanes: [], pages: [page], books: [planned, held], now });

  const waiting = { pushId: sent, app, text: '{}', expiresAt: now + 3_600_000 };
  await store.mailboxes.put({ push: waiting, installationIds: ['device'], limit: 1 });
  await limitMemory('1');
  await expect(store.acceptPushes([pushOf(app)])).rejects.toThrow(/OOM|full/);
  const books = new Books('hms');
  books.add('outstanding', -1);
  books.accept(1);
  const fold = await store.ledger.fold({ pushId: sent, part: { page: 1 }, books, now });
  expect([fold.state, await store.pushes.cancel(cancelled, now)]).toEqual(['folded', true]);
  const receipt = { app, pushId: sent, channel: 'hms', kind: 'delivered', registrationId: 'r' } as const;
  expect(await store.receipts.count(receipt)).toBe(true);
  expect(await store.ownTexts.trim({ maxBytes: 0, stopping: new AbortController().signal })).toBe(1);
  expect((await store.pushes.read(sent))?.channels['own']).toMatchObject({ accepted: 1, lapsed: 1 });
  await store.gateways.beat({ id: 'n', urls: [], isDraining: false });
  const here = { node: 'n', connection: 'c' };
  const references = [`${sent} ${waiting.expiresAt}`];
  expect(await store.presence.attach(app, 'device', here)).toMatchObject({ references });
  expect(await store.presence.renew(app, 'device', here)).toEqual(references);
});
