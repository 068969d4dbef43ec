import { imbalanceOf, onlyChannelOf, type Audience, type JsonObject } from '@pushfleet/domain';
import { bulkQueue, directQueue } from '@pushfleet/queues';
import { unique } from '@pushfleet/testing';
import { openIndexChecker } from './check-channel-indexes';
import { dispatchEnvelope } from './dispatch';
import { openColumnIndexer } from './keep-column-indexes';
import { attempt, dispatcherUnderTest } from './testing/dispatcher-under-test';

const t = dispatcherUnderTest();

const vendorDevice = (vendor: string, fields: object) => ({ vendor, registrationId: unique('r'), ...fields });

/** An app whose index of channels is known to be whole. */
async function indexedApp() {
  await t.store.installations.channels.noteFleet({ now: Date.now(), isFresh: async () => true });
  const app = await t.createApp();
  const stopping = new AbortController().signal;
  await openIndexChecker({ store: t.store, now: Date.now, stopping, attempt })();
  expect(await t.store.installations.channels.isSound(app.id)).toBe(true);
  return app;
}

/** An app of which some columns are indexed, once a dispatcher has made that. */
async function appWithColumns(...columns: readonly string[]) {
  const app = await indexedApp();
  for (const column of columns) await t.store.installations.columns.declare(app.id, column);
  const stopping = new AbortController().signal;
  await openColumnIndexer({ store: t.store, now: Date.now, stopping, attempt })();
  const statuses = (await t.store.installations.columns.of(app.id)).map(({ status }) => status);
  expect(statuses).toEqual(columns.map(() => 'ready'));
  return app;
}

describe('a push by an indexed column', () => {
  test('goes the direct way to those who have the value and meet its other conditions', async () => {
    const app = await appWithColumns('user', 'level');
    const [meant] = await t.register(app, [
      vendorDevice('HMS', { user: 'ann', level: 2, channels: ['news'] }),
      vendorDevice('HMS', { user: 'ann', level: 1, channels: ['news'] }),
      vendorDevice('mi', { user: 'ann', level: 2 }),
      vendorDevice('HMS', { user: 'bob', level: 2, channels: ['news'] }),
    ]);
    const audiences: readonly Audience[] = [
      { subscriptions: ['news'], predicate: { user: 'ann', level: { $gt: 1 } } },
      { predicate: { user: { $in: ['ann', 'carl'] }, level: 2, vendor: 'HMS' } },
    ];
    for (const audience of audiences) {
      const pushId = await t.accept(app, { audience });
      await dispatchEnvelope(t.ports, unique('e'), [pushId]);
      const { lanes, pages } = await t.store.ledger.openParts(pushId);
      expect(lanes).toEqual([]);
      expect(
        pages.map(([, { direct, forAudience, devices }]) => [direct, forAudience, devices.map(([id]) => id)]),
      ).toEqual([[true, true, [meant]]]);
    }
  });

  test('is done at once when nobody has the value', async () => {
    const app = await appWithColumns('user');
    await t.register(app, [vendorDevice('HMS', { user: 'ann' })]);
    const pushId = await t.accept(app, { audience: { predicate: { user: 'nobody' } } });
    await dispatchEnvelope(t.ports, pushId, [pushId]);
    expect(await t.record(pushId)).toMatchObject({ status: 'done', channels: {} });
  });

  test('walks what else narrows it, or the app, when more have the value than are looked up', async () => {
    const app = await appWithColumns('vip');
    const rows = Array.from({ length: 2100 }, (_, i) => ({
      objectId: unique('o'),
      doc: { deviceType: 'android', vip: true, channels: i < 2050 ? ['most'] : [] },
    }));
    await t.store.installations.import(app.id, rows);
    const pushes = [
      await t.accept(app, { audience: { predicate: { vip: true } } }),
      await t.accept(app, { audience: { subscriptions: ['most'], predicate: { vip: true } } }),
    ];
    await dispatchEnvelope(t.ports, unique('e'), pushes);
    const expected = async (pushId: string) => (await t.record(pushId)).channels['own']?.expected;
    expect(await Promise.all(pushes.map(expected))).toEqual([2100, 2050]);
    for (const pushId of pushes) expect((await t.store.ledger.openParts(pushId)).lanes).toHaveLength(1);
  });
});

test('a push that reads all of a large app says so, and which index would have answered', async () => {
  const app = await indexedApp();
  const rows = Array.from({ length: 2001 }, () => ({
    objectId: unique('o'),
    doc: { deviceType: 'android', user: 'ann' },
  }));
  await t.store.installations.import(app.id, rows);
  const push = async (predicate: JsonObject) => {
    const pushId = await t.accept(app, { audience: { predicate } });
    await dispatchEnvelope(t.ports, unique('e'), [pushId]);
    return (await t.record(pushId)).warnings;
  };
  expect(await push({ level: { $gt: 1 } })).toBeUndefined();
  expect(await t.store.installations.columns.walks(app.id)).toEqual([]);
  expect(await push({ user: 'bob', level: { $gt: 1 } })).toEqual([
    { channel: 'own', count: 2001, message: 'all installations were read: no index of user is ready' },
  ]);
  const noted = { columns: ['user'], devices: 2001, at: expect.any(Number) };
  expect(await t.store.installations.columns.walks(app.id)).toEqual([noted]);
});

describe('a push to a channel with few subscribers', () => {
  test('goes the direct way in one job per channel, beside those that name their devices', async () => {
    const app = await indexedApp();
    const [mine, other] = await t.register(app, [
      vendorDevice('HMS', { channels: ['user-1', 'news'] }),
      vendorDevice('HMS', { channels: ['user-2', 'news'] }),
      vendorDevice('mi', { channels: ['user-1'] }),
    ]);
    const pushes = [
      await t.accept(app, { audience: { subscriptions: ['user-1'] } }),
      await t.accept(app, { audience: { addressed: { field: 'objectId', values: [other ?? ''] } } }),
    ];
    const [byChannel = ''] = pushes;
    const envelope = unique('e');
    await dispatchEnvelope(t.ports, envelope, pushes);
    const { lanes, pages } = await t.store.ledger.openParts(byChannel);
    expect(lanes).toEqual([]);
    expect(pages.map(([, { channel, direct, forAudience }]) => [channel, direct, forAudience]).sort()).toEqual([
      ['hms', true, true],
      ['mi', true, true],
    ]);
    const hms = pages.find(([, { channel }]) => channel === 'hms');
    expect(hms?.[1].devices.map(([objectId]) => objectId)).toEqual([mine]);
    const job = (await t.job(directQueue('hms'), `${envelope}-hms`)) as { pages: readonly unknown[] };
    expect(job.pages).toHaveLength(2);
    const { channels } = await t.record(byChannel);
    expect(channels['hms']).toMatchObject({ expected: 1, matched: 1, outstanding: 1 });
    expect(Object.values(channels).map(imbalanceOf)).toEqual([0, 0]);
  });

  test('that are in many shards has a job of its own, which a second run finds again', async () => {
    const app = await indexedApp();
    const devices = Array.from({ length: 60 }, () => vendorDevice('HMS', { channels: ['team'] }));
    await t.register(app, devices);
    const pushId = await t.accept(app, { audience: { subscriptions: ['team'] } });
    const nobody = await t.accept(app, { audience: { subscriptions: ['nobody'] } });
    const envelope = unique('e');
    const job = () => t.job(directQueue('hms'), `${envelope}-${pushId}-hms`);
    for (let run = 0; run < 2; run += 1) {
      await dispatchEnvelope(t.ports, envelope, [nobody, pushId]);
      expect(await job()).toEqual({ pages: [{ pushId, page: 1 }], envelope: `${envelope}-${pushId}` });
      await t.lose(directQueue('hms'));
      expect(await job()).toBeUndefined();
    }
    expect((await t.record(pushId)).channels['hms']).toMatchObject({ expected: 60, outstanding: 60 });
  });

  test('tests what else it asks for on the devices that it finds', async () => {
    const app = await indexedApp();
    const [meant] = await t.register(app, [
      vendorDevice('HMS', { channels: ['a', 'b'], level: 2 }),
      vendorDevice('HMS', { channels: ['a', 'b'], level: 1 }),
      vendorDevice('HMS', { channels: ['b'], level: 2 }),
    ]);
    const audience = { predicate: { channels: { $all: ['a', 'b'] }, level: { $gt: 1 } } };
    const pushId = await t.accept(app, { audience });
    await dispatchEnvelope(t.ports, pushId, [pushId]);
    const { pages } = await t.store.ledger.openParts(pushId);
    expect(pages.flatMap(([, { devices }]) => devices.map(([objectId]) => objectId))).toEqual([meant]);
  });

  test('is done at once when nobody subscribes, or nobody can be reached', async () => {
    const app = await indexedApp();
    await t.register(app, [vendorDevice('oppo', { channels: ['unreachable'] })]);
    const nobody = await t.accept(app, { audience: { subscriptions: ['nobody'] } });
    const unreachable = await t.accept(app, { audience: { subscriptions: ['unreachable'] } });
    await dispatchEnvelope(t.ports, unique('e'), [nobody, unreachable]);
    expect(await t.record(nobody)).toMatchObject({ status: 'done', channels: {} });
    const { status, channels } = await t.record(unreachable);
    expect([status, channels['oppo']?.discarded]).toEqual(['done', { 'profile-missing': 1 }]);
  });

  test('walks the fewest subscribers that a larger audience has, and tests the rest', async () => {
    const app = await indexedApp();
    const rows = Array.from({ length: 2100 }, (_, i) => ({
      objectId: unique('o'),
      doc: { deviceType: 'android', channels: i < 2050 ? ['everybody', 'most'] : ['everybody'] },
    }));
    await t.store.installations.import(app.id, rows);
    const pushId = await t.accept(app, { audience: { predicate: { channels: { $all: ['everybody', 'most'] } } } });
    await dispatchEnvelope(t.ports, pushId, [pushId]);
    expect((await t.store.ledger.openParts(pushId)).lanes).toHaveLength(1);
    const { audience } = (await t.store.pushes.toSend(pushId)) ?? {};
    const predicate = { channels: { $all: ['everybody', 'most'] } };
    expect(audience).toEqual({ subscriptions: ['most'], predicate, named: [] });
    expect((await t.record(pushId)).channels['own']?.expected).toBe(2050);
  });

  test('is for the channel that it names, whose subscribers it walks or not', async () => {
    const app = await indexedApp();
    const rows = Array.from({ length: 2100 }, (_, i) => ({
      objectId: unique('o'),
      doc: { deviceType: 'android', channels: i < 2050 ? ['everybody', 'most'] : ['everybody'] },
    }));
    await t.store.installations.import(app.id, rows);
    const audiences: readonly Audience[] = [
      { subscriptions: ['everybody'], predicate: { channels: 'most' } },
      { predicate: { channels: { $all: ['everybody', 'most'] } } },
    ];
    const pushes = await Promise.all(audiences.map((audience) => t.accept(app, { audience })));
    await dispatchEnvelope(t.ports, unique('e'), pushes);
    const sent = await Promise.all(pushes.map((pushId) => t.store.pushes.toSend(pushId)));
    expect(sent.map((push) => push?.audience.subscriptions)).toEqual([['most'], ['most']]);
    expect(sent.map((push) => push && onlyChannelOf(push.audience))).toEqual(['everybody', undefined]);
  });

  test('walks the subscribers while the index is not known to be whole', async () => {
    const app = await t.createApp();
    await t.register(app, [vendorDevice('HMS', { channels: ['user-1'] })]);
    const pushId = await t.accept(app, { audience: { subscriptions: ['user-1'] } });
    await dispatchEnvelope(t.ports, pushId, [pushId]);
    expect((await t.store.ledger.openParts(pushId)).lanes).toHaveLength(1);
    expect(await t.jobsIn(bulkQueue('hms'))).toBe(1);
  });
});
