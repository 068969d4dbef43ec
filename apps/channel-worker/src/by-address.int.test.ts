import type { JsonObject } from '@pushfleet/domain';
import { planDirect } from '@pushfleet/store';
import { workersUnderTest } from './testing/worker-under-test';

const open = workersUnderTest();

test('a push by address retires a dead registration that is of its vendor and profile, and no other', async () => {
  const worker = await open('hms');
  const { app, store } = worker;
  const devices: readonly (JsonObject & { readonly registrationId: string })[] = [
    { vendor: 'HMS', registrationId: 'gone-rightly' },
    { vendor: 'mi', registrationId: 'gone-of-mi' },
    { vendor: 'HMS', deviceProfile: 'other', registrationId: 'gone-of-other' },
    { vendor: 'lc', registrationId: 'gone-from-vendors' },
    // A page of dead ones alone looks like credentials of another app.
    { vendor: 'HMS', registrationId: 'r-0' },
  ];
  for (const device of devices)
    await store.installations.save({ app: app.id, body: { deviceType: 'android', ...device }, now: Date.now() });
  const ids = devices.map(({ registrationId }) => registrationId);
  const bucket = 'hms/_default';
  const { pages, books } = planDirect(
    () => ({ channel: 'hms', profile: '_default' }),
    ids.map((registrationId) => ({ bucket, installation: { objectId: registrationId, registrationId } })),
  );
  const pushId = await worker.accept({ audience: { devices: { bucket, registrationIds: ids } } });
  await store.ledger.plan({ pushId, lanes: [], pages, books, now: Date.now() });
  await worker.jobs.direct.add([{ id: `${pushId}-1`, data: { pages: [{ pushId, page: 1 }] } }]);
  expect(await worker.done(pushId)).toMatchObject({ accepted: 1, discarded: { 'registration-gone': 4 } });
  await worker.rests();
  const found = await store.installations.addressed(app.id, { field: 'registrationId', values: ids });
  expect(found.map(({ bucket: at }) => at)).toEqual(['retired:hms', 'mi/_default', 'hms/*', 'own', 'hms/_default']);
  expect(worker.failures).toEqual([]);
});
