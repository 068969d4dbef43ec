import { anInstallation, unique } from '@pushfleet/testing';
import { Books } from '../pushes/books';
import { acceptOne } from '../testing/a-push';
import { storeUnderTest } from '../testing/store-under-test';

const t = storeUnderTest();
const LIMIT = 50;

/** The scripts read the clock of Redis. */
beforeAll(() => t.clock.set(Date.now()));

const aMessage = (changes: { pushId?: string; expiresAt?: number; text?: string } = {}) => ({
  pushId: `${unique('').slice(0, 14)}00`,
  app: t.app,
  text: '{"alert":"hi"}',
  expiresAt: t.clock.now() + 60_000,
  ...changes,
});

const put = (push: ReturnType<typeof aMessage>, installationIds: readonly string[]) =>
  t.store.mailboxes.put({ push, installationIds, limit: LIMIT });

/** What a device that connects now would get. */
const mailboxOf = async (installationId: string): Promise<readonly string[]> => {
  const { references } = await t.store.presence.attach(t.app, installationId, { node: 'n', connection: unique('c') });
  return references.map((reference) => reference.split(' ')[0] ?? '');
};

async function bookAccepted(pushId: string, devices: number): Promise<void> {
  const books = new Books('own');
  books.accept(devices);
  books.add('matched', devices);
  await t.store.ledger.plan({ pushId, lanes: [], pages: [], books: [books], now: t.clock.now() });
}
const lapsedOf = async (pushId: string): Promise<number> =>
  (await t.store.pushes.read(pushId))?.channels['own']?.lapsed ?? 0;

it('a message is stored once for all, and a reference for each installation', async () => {
  const devices = Array.from({ length: 500 }, () => unique('device'));
  const push = aMessage();
  const stored = await put(push, devices);
  expect(new Set(stored.map(({ installationId }) => installationId))).toEqual(new Set(devices));
  expect(await t.store.mailboxes.message(push.pushId)).toBe(push.text);
  for (const device of devices.slice(0, 20)) expect(await mailboxOf(device)).toEqual([push.pushId]);
});

it('messages wait in the order in which they were stored, and a repeat changes nothing', async () => {
  const device = unique('device');
  const pushes = Array.from({ length: 5 }, () => aMessage());
  for (const push of pushes) await put(push, [device]);
  await put(pushes[0] as (typeof pushes)[0], [device]);
  expect(await mailboxOf(device)).toEqual(pushes.map(({ pushId }) => pushId));
});

it('a full mailbox drops a reference that is damaged, and takes what comes', async () => {
  const [device, other] = [unique('device'), unique('device')];
  const pushes = Array.from({ length: LIMIT }, () => aMessage());
  await t.redis.zadd(t.keys.mailbox(t.app, device), 1, 'no reference');
  for (const push of pushes) await put(push, [device, other]);
  for (const one of [device, other]) expect(await mailboxOf(one)).toEqual(pushes.map(({ pushId }) => pushId));
});

it('the writer learns where an installation is connected, whichever of the two came first', async () => {
  const [device, other] = [unique('device'), unique('device')];
  const presence = { node: 'node-1', connection: 'c1' };
  await t.store.presence.attach(t.app, device, presence);
  expect(await put(aMessage(), [device, other])).toEqual(
    expect.arrayContaining([
      { installationId: device, presence },
      { installationId: other, presence: undefined },
    ]),
  );
});

it('the oldest makes room for the newest and counts as lapsed', async () => {
  const device = unique('device');
  const first = await acceptOne(t);
  await bookAccepted(first, 1);
  await put(aMessage({ pushId: first }), [device]);
  const later = Array.from({ length: LIMIT }, () => aMessage());
  for (const push of later) await put(push, [device]);
  expect(await mailboxOf(device)).toEqual(later.map(({ pushId }) => pushId));
  expect(await lapsedOf(first)).toBe(1);
});

it('after its expiry a push has lapsed for everybody who did not confirm it', async () => {
  const pushId = await acceptOne(t);
  await bookAccepted(pushId, 3);
  await t.store.receipts.count({ app: t.app, pushId, channel: 'own', kind: 'delivered', registrationId: 'device' });
  expect(await lapsedOf(pushId)).toBe(0);
  t.clock.advance(3_600_000);
  expect(await lapsedOf(pushId)).toBe(2);
  t.clock.set(Date.now());
});

it('what expired makes room before anything that a device could still get', async () => {
  const device = unique('device');
  const kept = aMessage();
  await put(kept, [device]);
  const brief = Array.from({ length: LIMIT - 1 }, () => aMessage({ expiresAt: Date.now() + 300 }));
  for (const push of brief) await put(push, [device]);
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, (brief.at(-1)?.expiresAt ?? 0) - Date.now() + 1100)));
  await put(aMessage(), [device]);
  expect(await mailboxOf(device)).toContain(kept.pushId);
});

it('a message that expired is gone, and one that has expired already is not stored', async () => {
  const device = unique('device');
  const expired = aMessage({ expiresAt: t.clock.now() - 1 });
  expect(await put(expired, [device])).toEqual([{ installationId: device, presence: undefined }]);
  expect(await mailboxOf(device)).toEqual([]);
  const brief = aMessage({ expiresAt: t.clock.now() + 50 });
  await put(brief, [device]);
  await new Promise((resolve) => setTimeout(resolve, 80));
  expect(await t.store.mailboxes.message(brief.pushId)).toBeUndefined();
  expect(await mailboxOf(device)).toEqual([]);
});

it('only what is named leaves a mailbox', async () => {
  const device = unique('device');
  const [one, two] = [aMessage(), aMessage()];
  for (const push of [one, two]) await put(push, [device]);
  await t.store.mailboxes.remove(t.app, device, [`${one.pushId} ${one.expiresAt}`, `${two.pushId} 1`]);
  expect(await mailboxOf(device)).toEqual([two.pushId]);
});

it('the installationIds of a page come from the records, and removed ones are missing', async () => {
  const saved = await Promise.all(
    [anInstallation(), anInstallation({ installationId: undefined })].map((body) =>
      t.store.installations.save({ app: t.app, body, now: t.clock.now() }),
    ),
  );
  const ids = saved.map((one) => one?.installation.objectId ?? '');
  const found = await t.store.installations.installationIds(t.app, [...ids, 'unknown']);
  expect([...found]).toEqual(
    expect.arrayContaining([
      [ids[0], saved[0]?.installation['installationId']],
      [ids[1], undefined],
    ]),
  );
  expect(found.size).toBe(2);
});
