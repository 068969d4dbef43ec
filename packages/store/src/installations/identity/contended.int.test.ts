import { anInstallation, seededRandom, unique } from '@pushfleet/testing';
import { jittered } from '../../testing/jittered';
import { storeUnderTest } from '../../testing/store-under-test';

const t = storeUnderTest();
const seed = Number(process.env['SEED'] ?? 17);
const { below } = seededRandom(seed);
const REGISTRATIONS = ['r0', 'r1'];

/** A row of one device, read by a process whose commands are late by a few turns; each is newer than the one before. */
function importRow(app: string): Promise<unknown> {
  const redis = jittered(t.redis, () => below(12));
  t.clock.advance(1000);
  const stamp = new Date(t.clock.now()).toISOString();
  const ids = { installationId: 'x', registrationId: REGISTRATIONS[below(2)] };
  const doc = { ...anInstallation(ids), createdAt: stamp, updatedAt: stamp };
  return t.open({ redis }).installations.import(app, [{ objectId: unique('o'), doc }]);
}

it(`all who import one device at once come to an end, and the newest is there (seed ${seed})`, async () => {
  for (let round = 0; round < 60; round += 1) {
    const app = unique('app');
    for (const registrationId of REGISTRATIONS)
      await t.store.installations.save({ app, body: anInstallation({ registrationId }), now: t.clock.now() });
    await Promise.all(Array.from({ length: 4 }, () => importRow(app)));
    const newest = new Date(t.clock.now()).toISOString();
    const { results } = await t.store.installations.find({
      app,
      where: { installationId: 'x' },
      limit: 9,
      skip: 0,
      count: false,
    });
    expect(results).toMatchObject([{ createdAt: newest }]);
  }
});
