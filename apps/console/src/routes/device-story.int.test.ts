import { OWN_CHANNEL, type Audience, type JsonObject } from '@pushfleet/domain';
import { Books } from '@pushfleet/store';
import { unique } from '@pushfleet/testing';
import { consoleHarness } from '../testing/console-harness';

const admin = consoleHarness();
const { call } = admin;
const now = Date.now();
const HOUR_MS = 3_600_000;

// Who lives is remembered for a while by whoever asked.
beforeAll(() => admin.store.gateways.beat({ id: 'alive', urls: ['ws://127.0.0.1:1'], isDraining: false }));

async function anApp(): Promise<string> {
  const { body } = await call('POST', '/apps', { name: 'Told', edition: 'commercial', hybrid: true });
  await call('PUT', `/apps/${String(body['id'])}/profiles/mi/_default`, { appId: '1', appSecret: 'sim-secret' });
  return String(body['id']);
}

async function aDevice(app: string, fields: JsonObject = {}): Promise<{ objectId: string; installationId: string }> {
  const body = { deviceType: 'android', installationId: unique('i'), ...fields };
  const saved = await admin.store.installations.save({ app, body, now: now - 1000 });
  return { objectId: saved?.installation.objectId ?? '', installationId: String(body.installationId) };
}

const MI = { vendor: 'mi', registrationId: 'r1' };

async function storyOf(app: string, id: string): Promise<JsonObject> {
  const { status, body } = await call('GET', `/apps/${app}/installations/${id}/story`);
  expect(status).toBe(200);
  return body as JsonObject;
}

/** A push that one device was accepted for, or that the addresses that it lists wait for. */
async function sent(app: string, audience: Audience = {}, channel = 'mi'): Promise<string> {
  const push = {
    ...{
      app,
      content: { data: { alert: 'Hi' }, sections: {} },
      where: audience.predicate ?? {},
      prod: 'prod' as const,
    },
    ...{ pushTime: now, expiresAt: Date.now() + HOUR_MS, isScheduled: false, createdAt: now, audience },
    ...(audience.devices ? { isToDevices: true as const } : {}),
  };
  const [accepted] = await admin.store.acceptPushes([push]);
  const pushId = accepted?.pushId ?? '';
  const books = new Books(channel);
  books.add('matched', 1);
  if (audience.devices) books.add('outstanding', 1);
  else books.accept(1);
  const page = { channel, profile: '_default', devices: [['r1', 'r1']] as const, dueAt: 0, tries: 1, direct: true };
  await admin.store.ledger.plan({ pushId, lanes: [], pages: audience.devices ? [page] : [], books: [books], now });
  await admin.store.pushes.index(app, [{ pushId, createdAt: now }]);
  return pushId;
}

describe('200', () => {
  it('is found by objectId and by installationId, with the pushes that were for it, and with receipts', async () => {
    const app = await anApp();
    const { objectId, installationId } = await aDevice(app, MI);
    const [forAll, forOthers, first] = [
      await sent(app),
      await sent(app, { predicate: { city: 'Paris' } }),
      await sent(app, { predicate: { vendor: 'mi' } }),
    ];
    const of = { app, pushId: first, channel: 'mi', registrationId: 'r1' };
    await admin.store.receipts.count({ ...of, kind: 'delivered' });
    await admin.store.receipts.count({ ...of, kind: 'clicked' });
    const story = await storyOf(app, objectId);
    expect(await storyOf(app, installationId)).toEqual(story);
    expect(story).toMatchObject({
      ...{ objectId, installationId, pushesLookedAt: 3 },
      now: { isReachable: true, channel: 'mi', profile: '_default' },
      ...{ gateway: { isConnected: false }, mailbox: { messages: 0 } },
    });
    const told = story['pushes'] as readonly JsonObject[];
    expect(new Map(told.map((push) => [push['objectId'], [push['outcome'], push['receipts']]]))).toEqual(
      new Map<unknown, unknown>([
        [forAll, ['accepted', undefined]],
        [first, ['accepted', ['delivered', 'clicked']]],
      ]),
    );
    expect(JSON.stringify(told)).not.toContain(forOthers);
  });

  it('tells of a connection whose gateway lives, and of what waits in the mailbox', async () => {
    const app = await anApp();
    const { objectId, installationId } = await aDevice(app);
    const { presence, mailboxes } = admin.store;
    await presence.attach(app, installationId, { node: 'dead', connection: 'c' });
    expect(await storyOf(app, objectId)).toMatchObject({ gateway: { isConnected: false } });
    await presence.attach(app, installationId, { node: 'alive', connection: 'c' });
    const pushId = await sent(app, { predicate: { no: 'more' } }, OWN_CHANNEL);
    const push = { pushId, app, text: '{}', expiresAt: now + HOUR_MS };
    await mailboxes.put({ push, installationIds: [installationId], limit: 9 });
    expect(await storyOf(app, objectId)).toMatchObject({
      now: { isReachable: true, channel: OWN_CHANNEL },
      gateway: { isConnected: true, id: 'alive', urls: ['ws://127.0.0.1:1'] },
      mailbox: { messages: 1, oldestAt: expect.stringMatching(/Z$/) },
      pushes: [{ objectId: pushId, outcome: 'accepted', inMailbox: true }],
    });
  });

  it('leaves out a push whose list of devices is not kept, unless a receipt shows that it was for it', async () => {
    const app = await anApp();
    const { objectId } = await aDevice(app, MI);
    const registrationIds = ['r1', ...Array.from({ length: 400 }, () => unique('x'.repeat(60)))];
    const pushId = await sent(app, { devices: { bucket: 'mi/_default', registrationIds } });
    expect(await storyOf(app, objectId)).toMatchObject({ pushes: [], pushesLookedAt: 1 });
    await admin.store.receipts.count({ app, pushId, channel: 'mi', kind: 'delivered', registrationId: 'r1' });
    expect(await storyOf(app, objectId)).toMatchObject({
      pushes: [{ objectId: pushId, outcome: 'accepted', receipts: ['delivered'] }],
    });
  });

  it('does not tell of pushes that nobody dispatched yet, nor of more than it says', async () => {
    const app = await anApp();
    const { objectId } = await aDevice(app, MI);
    for (let i = 0; i < 30; i += 1) await sent(app);
    const push = { content: { data: { alert: 'Hi' }, sections: {} }, prod: 'prod' as const, where: {}, audience: {} };
    const times = { pushTime: now, expiresAt: now + HOUR_MS, isScheduled: false };
    await admin.store.acceptPushes([{ app, ...push, ...times }]);
    const { pushes, pushesLookedAt } = await storyOf(app, objectId);
    expect([(pushes as readonly unknown[]).length, Number(pushesLookedAt) <= 50]).toEqual([20, true]);
  });

  it('tells of a push that is listed behind many that are no longer kept', async () => {
    const app = await anApp();
    const { objectId } = await aDevice(app, MI);
    const pushId = await sent(app);
    const gone = Array.from({ length: 60 }, (_, i) => ({
      pushId: i.toString(16).padStart(pushId.length, '0'),
      createdAt: now + 1,
    }));
    await admin.store.pushes.index(app, gone);
    expect(await storyOf(app, objectId)).toMatchObject({ pushes: [{ objectId: pushId }], pushesLookedAt: 1 });
  });

  it('names why a device is no target at all', async () => {
    const app = await anApp();
    const invalid = await aDevice(app, { ...MI, valid: false });
    expect((await storyOf(app, invalid.objectId))['now']).toMatchObject({ isReachable: false, reason: 'not-valid' });
    const row = { objectId: unique('o'), deviceType: 'android', installationId: unique('i') };
    const updatedAt = new Date(now - 100 * 86_400_000).toISOString();
    await call('POST', `/apps/${app}/installations/import`, { rows: [{ ...row, createdAt: updatedAt, updatedAt }] });
    expect((await storyOf(app, row.objectId))['now']).toMatchObject({
      ...{ isReachable: false, reason: 'stale' },
      remedy: expect.stringContaining('saves it'),
    });
  });

  it('a device of the own channel without a name has no mailbox', async () => {
    const app = await anApp();
    const row = { objectId: unique('o'), deviceType: 'android', deviceToken: unique('t') };
    await call('POST', `/apps/${app}/installations/import`, { rows: [row] });
    expect((await storyOf(app, row.objectId))['now']).toMatchObject({
      ...{ isReachable: false, channel: OWN_CHANNEL, reason: 'registration-missing', action: 'drop-registration' },
    });
  });
});

describe('what a push would wait for', () => {
  const nowOf = async (app: string, id: string): Promise<JsonObject> => (await storyOf(app, id))['now'] as JsonObject;

  it.each([
    ['paused', 'paused'],
    ['draining', 'draining'],
  ] as const)('%s by an operator', async (state, reason) => {
    const app = await anApp();
    const { objectId } = await aDevice(app, MI);
    await admin.store.pacing.controls.set('mi', { state, app, since: 1 });
    expect(await nowOf(app, objectId)).toMatchObject({ isReachable: true, waiting: { reason } });
  });

  it('discarding is no wait', async () => {
    const app = await anApp();
    const { objectId } = await aDevice(app, MI);
    await admin.store.pacing.controls.set('mi', { state: 'discarding', app, since: 1 });
    const told = await nowOf(app, objectId);
    expect(told).toMatchObject({ isReachable: false, channel: 'mi', reason: 'channel-unavailable' });
    expect(told).not.toHaveProperty('waiting');
  });

  it('an open breaker', async () => {
    const app = await anApp();
    const { objectId } = await aDevice(app, MI);
    const to = { state: 'open' as const, since: 1, probeAt: now + HOUR_MS, openings: 1, reason: 'unreachable' };
    await admin.store.pacing.breakers.replace('mi', { app, profile: '_default' }, { from: undefined, to });
    expect(await nowOf(app, objectId)).toMatchObject({ isReachable: true, waiting: { reason: 'breaker-open' } });
  });

  it.each(['throttled', 'quota-exceeded'] as const)('%s by the vendor holds up campaigns only', async (reason) => {
    const app = await anApp();
    const { objectId } = await aDevice(app, MI);
    const wait = { reason, until: Date.now() + HOUR_MS };
    await admin.store.pacing.vendorWaits.note('mi', { app, profile: '_default' }, wait);
    expect(await nowOf(app, objectId)).toMatchObject({ isReachable: true, waiting: { reason, campaignsOnly: true } });
  });
});

describe('404', () => {
  it('is the answer for an app or an installation that does not exist', async () => {
    expect((await call('GET', '/apps/no-such-app/installations/x/story')).status).toBe(404);
    expect((await call('GET', `/apps/${await anApp()}/installations/nobody/story`)).status).toBe(404);
  });
});
