import { until } from '@pushfleet/testing';
import { openAttempt } from './attempts';
import { startPurger, type PurgePorts } from './start-purger';
import { dispatcherUnderTest, fail } from './testing/dispatcher-under-test';

const t = dispatcherUnderTest();

/** Goes on until the data of the apps is under way. */
async function purging(
  apps: readonly string[],
  { hasFailed = () => true, ...ports }: Partial<PurgePorts> & { readonly hasFailed?: () => boolean },
): Promise<void> {
  const stopping = new AbortController();
  const log = { info: () => undefined, error: fail };
  const purger = startPurger({ ...t.ports, attempt: openAttempt(fail), log, ...ports, stopping: stopping.signal });
  for (const app of apps) await until(async () => (await t.store.purges.get(app))?.removed.installations === 1);
  await until(hasFailed);
  stopping.abort();
  await purger.stop();
}

test('an app whose data cannot be deleted is told, and that of the others is', async () => {
  const [spoilt, sound] = [await t.createApp(), await t.createApp()];
  await t.register(sound, [{}]);
  for (const { id } of [spoilt, sound]) await t.store.apps.remove(id);
  await t.spoilShard(spoilt.id);
  const failed: unknown[] = [];
  const attempt = openAttempt((_, turn) => void failed.push(turn));
  await purging([sound.id], { attempt, hasFailed: () => failed.length > 0 });
  expect(failed).toContainEqual({ app: spoilt.id });
});

test('a deletion of which nobody can read how far it is is told of and begins anew, and the others go on', async () => {
  const [spoilt, sound] = [await t.createApp(), await t.createApp()];
  for (const app of [spoilt, sound]) {
    await t.register(app, [{}]);
    await t.store.apps.remove(app.id);
  }
  await t.spoilPurge(spoilt.id);
  await expect(t.store.purges.get(spoilt.id)).rejects.toThrow(spoilt.id);
  expect((await t.store.purges.list()).get(spoilt.id)).toBeUndefined();
  const errors: unknown[] = [];
  const log = { info: () => undefined, error: (about: object) => void errors.push(about) };
  await purging([spoilt.id, sound.id], { log });
  expect(errors).toEqual([{ app: spoilt.id, err: expect.any(Error) }]);
});
