import { foldReceipts } from './fold-receipts';
import { dispatcherUnderTest } from './testing/dispatcher-under-test';

const t = dispatcherUnderTest();

test.each([
  ['its own vendor says so', 'hms', true],
  ['another vendor says so', 'mi', false],
])('a device that is gone is retired when %s', async (_, channel, isRetired) => {
  const app = await t.createApp();
  const registrationId = 'of-this-device';
  const [objectId = ''] = await t.register(app, [{ installationId: 'device', vendor: 'HMS', registrationId }]);
  const gone = { kind: 'registration-gone', registrationId, vendorStatus: '16' } as const;
  await foldReceipts(t.store, { app: app.id, channel, receipts: [gone] });
  // Who is retired already cannot be retired again.
  expect(await t.store.installations.retire(app.id, { objectId, registrationId })).toBe(!isRetired);
});
