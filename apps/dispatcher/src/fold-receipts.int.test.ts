import { Books } from '@pushfleet/store';
import { foldReceipts } from './fold-receipts';
import { dispatcherUnderTest } from './testing/dispatcher-under-test';

const t = dispatcherUnderTest();

test.each([
  ['its vendor, to its profile', { channel: 'hms', profile: 'game' }, true],
  ['its vendor, in a job of an earlier version', { channel: 'hms' }, true],
  ['its vendor, to another profile', { channel: 'hms', profile: '_default' }, false],
  ['another vendor', { channel: 'mi', profile: 'game' }, false],
])('whether a device that is gone is retired depends on who says so: %s', async (_, by, isRetired) => {
  const app = await t.createApp();
  const registrationId = 'of-this-device';
  const device = { installationId: 'device', vendor: 'HMS', deviceProfile: 'game', registrationId };
  const [objectId = ''] = await t.register(app, [device]);
  const gone = { kind: 'registration-gone', registrationId, vendorStatus: '16' } as const;
  await foldReceipts(t.store, { app: app.id, ...by, receipts: [gone] });
  // Who is retired already cannot be retired again.
  expect(await t.store.installations.retire(app.id, { objectId, registrationId })).toBe(!isRetired);
});

test('the profile whose vendor reported is told to have been heard of, and no other', async () => {
  const app = await t.createApp(['mi', 'mz']);
  const before = Date.now();
  const job = { app: app.id, channel: 'mi', receipts: [] };
  await foldReceipts(t.store, { ...job, profile: '_default' });
  // As an earlier version queued it.
  await foldReceipts(t.store, { ...job, channel: 'mz' });
  const noteOf = (channel: string) => t.store.profiles.noteOf({ app: app.id, channel, profile: '_default' });
  expect((await noteOf('mi')).receiptSeenAt).toBeGreaterThanOrEqual(before);
  expect(await noteOf('mz')).toEqual({});
});

test('a message that outlived its life at the vendor is told as lapsed, once for a device', async () => {
  const app = await t.createApp();
  const pushId = await t.accept(app);
  const books = new Books('mi');
  books.add('matched', 2);
  books.accept(2);
  await t.store.ledger.plan({ pushId, lanes: [], pages: [], books: [books], now: t.ports.now() });
  const lapsed = { kind: 'lapsed', pushId, registrationId: 'r', vendorStatus: '1024' } as const;
  await foldReceipts(t.store, { app: app.id, channel: 'mi', receipts: [lapsed, lapsed] });
  expect((await t.record(pushId)).channels['mi']).toMatchObject({ accepted: 2, delivered: 0, lapsed: 1 });
});
