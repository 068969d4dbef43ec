import type { JsonObject } from '@pushfleet/domain';
import { unique } from '@pushfleet/testing';
import { attempt, dispatcherUnderTest } from '../testing/dispatcher-under-test';
import { Audience } from './audience';

const t = dispatcherUnderTest();
const hms = (): JsonObject => ({ vendor: 'HMS', registrationId: unique('r') });
const mi = (): JsonObject => ({ vendor: 'mi', registrationId: unique('r') });
const times = (count: number, device: () => JsonObject): JsonObject[] => Array.from({ length: count }, device);

test('the audience by vendor is that of the installations, after all that may become of one', async () => {
  const [one, other] = [await t.createApp(), await t.createApp()];
  const devices = [...times(5, hms), ...times(2, mi), {}, { deviceType: 'ios', deviceToken: 'a'.repeat(64) }];
  const [gone = '', deleted = '', silent = '', moved = ''] = await t.register(one, devices);
  await t.register(other, [...times(3, hms), { vendor: 'mi' }, { vendor: 'fcm', registrationId: unique('r') }]);
  const { installations } = t.store;
  const registrationId = (await installations.get(one.id, gone))?.['registrationId'];
  await installations.retire(one.id, { objectId: gone, registrationId: String(registrationId) });
  await installations.remove(one.id, deleted);
  const save = (objectId: string, body: JsonObject) =>
    installations.save({ app: one.id, objectId, body, now: Date.now() });
  await save(silent, { valid: false });
  await save(moved, mi());
  const stale = { objectId: unique('o'), doc: { ...hms(), updatedAt: '2020-01-01T00:00:00.000Z' } };
  await installations.import(one.id, [stale], { staleBefore: Date.now() });

  const channels = new Set(['hms', 'mi', 'own']);
  const audience = new Audience({ apps: t.store.apps, installations, channels, attempt });
  const sizes = (await audience.look()) ?? [];
  const found = Object.fromEntries(sizes.map(({ channel, state, count }) => [`${channel} ${state}`, count]));
  const some = Object.fromEntries(Object.entries(found).filter(([, count]) => count > 0));
  expect(some).toEqual({
    ...{ 'hms target': 1 + 3, 'hms retired': 1, 'mi target': 2 + 1, 'own target': 1 },
    ...{ 'ios unreachable': 1, 'unregistered unreachable': 1, 'unknown unreachable': 1 },
  });
});
