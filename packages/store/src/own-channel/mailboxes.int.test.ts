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

describe('the text of a message', () => {
  const delivered = (pushId: string, registrationId: string) =>
    t.store.receipts.count({ app: t.app, pushId, channel: 'own', kind: 'delivered', registrationId });
  const textOf = (pushId: string) => t.store.mailboxes.message(pushId);
  const fill = async (device: string, messages = LIMIT): Promise<void> => {
    for (let i = 0; i < messages; i += 1) await put(aMessage(), [device]);
  };
  /** A push that is done and waits in the mailboxes of these devices. */
  async function waitingFor(...devices: string[]): Promise<string> {
    const pushId = await acceptOne(t);
    await put(aMessage({ pushId }), devices);
    await bookAccepted(pushId, devices.length);
    return pushId;
  }

  it('of 4 KB, sent two hundred times to a device that stays away, is kept as often as its mailbox holds it', async () => {
    const device = unique('device');
    const pushIds: string[] = [];
    for (let i = 0; i < 200; i += 1) {
      const pushId = await acceptOne(t);
      pushIds.push(pushId);
      await put(aMessage({ pushId, text: JSON.stringify({ alert: 'x'.repeat(4000) }) }), [device]);
      await bookAccepted(pushId, 1);
    }
    const texts = await Promise.all(pushIds.map(textOf));
    expect(texts.flatMap((text, i) => (text === undefined ? [] : [pushIds[i]]))).toEqual(pushIds.slice(-LIMIT));
    expect(texts.reduce((bytes, text) => bytes + (text?.length ?? 0), 0)).toBeLessThan(LIMIT * 4100);
    expect(await mailboxOf(device)).toEqual(pushIds.slice(-LIMIT));
  });

  it('goes when the last device has confirmed it', async () => {
    const pushId = await waitingFor('one', 'two');
    await delivered(pushId, 'one');
    await delivered(pushId, 'one');
    expect(await textOf(pushId)).toBeDefined();
    await delivered(pushId, 'two');
    expect(await textOf(pushId)).toBeUndefined();
  });

  it('goes when one device has confirmed it and the other lost it to newer ones', async () => {
    const [here, away] = [unique('here'), unique('away')];
    const pushId = await waitingFor(here, away);
    await delivered(pushId, here);
    await fill(away);
    expect(await textOf(pushId)).toBeUndefined();
    expect(await lapsedOf(pushId)).toBe(1);
  });

  it('stays for a device that waits while another lost it to newer ones and confirms it late', async () => {
    const [slow, away] = [unique('slow'), unique('away')];
    const pushId = await waitingFor(slow, away);
    await fill(slow);
    await delivered(pushId, slow);
    // A worker that was killed writes the page again.
    await put(aMessage({ pushId }), [slow]);
    await fill(slow);
    expect(await textOf(pushId)).toBeDefined();
    expect(await mailboxOf(away)).toEqual([pushId]);
    await delivered(pushId, away);
    expect(await textOf(pushId)).toBeUndefined();
  });

  it('stays while the push is not done, whose next devices may need it, and goes at its end', async () => {
    const [confirms, loses] = [unique('confirms'), unique('loses')];
    const pushId = await acceptOne(t);
    await put(aMessage({ pushId }), [confirms, loses]);
    await delivered(pushId, confirms);
    await fill(loses);
    expect(await textOf(pushId)).toBeDefined();
    await bookAccepted(pushId, 2);
    expect(await textOf(pushId)).toBeUndefined();
    expect(await t.redis.exists(t.keys.ownLost(pushId))).toBe(0);
  });

  it('stays whatever lapsed on other channels', async () => {
    const pushId = await waitingFor('one', 'two');
    const receipt = { app: t.app, pushId, channel: 'mi', kind: 'lapsed' } as const;
    for (const registrationId of ['r1', 'r2']) await t.store.receipts.count({ ...receipt, registrationId });
    await delivered(pushId, 'one');
    expect(await textOf(pushId)).toBeDefined();
  });

  it('stays until it expires when it is one for many devices', async () => {
    const devices = Array.from({ length: 1001 }, () => unique('device'));
    const pushId = await waitingFor(...devices);
    for (let i = 0; i < LIMIT; i += 1) await put(aMessage(), devices);
    expect(await lapsedOf(pushId)).toBe(1001);
    expect(await textOf(pushId)).toBeDefined();
    const lifeMs = await t.redis.pttl(t.keys.ownMessage(pushId));
    expect(Math.abs((await t.redis.pttl(t.keys.ownLost(pushId))) - lifeMs)).toBeLessThan(5000);
  });

  it('stays where devices may have it that are booked as failed', async () => {
    const pushId = await acceptOne(t);
    await put(aMessage({ pushId }), ['accepted', 'failed']);
    const books = new Books('own');
    books.accept(1);
    books.refuse('failed', 'internal-error', { count: 1, samples: [] });
    books.add('matched', 2);
    await t.store.ledger.plan({ pushId, lanes: [], pages: [], books: [books], now: t.clock.now() });
    await delivered(pushId, 'failed');
    expect(await textOf(pushId)).toBeDefined();
  });
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

it('a reference without its time has expired, as where a mailbox is trimmed', async () => {
  const device = unique('device');
  await t.redis.zadd(t.keys.mailbox(t.app, device), 1, aMessage().pushId);
  expect(await t.store.mailboxes.held(t.app, device)).toEqual([]);
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
