import { until } from '@pushfleet/testing';
import { openAttempt } from './attempts';
import { startPurger } from './start-purger';
import { dispatcherUnderTest, fail } from './testing/dispatcher-under-test';

const t = dispatcherUnderTest();

/** Goes on until the data of the app is under way; whose turn failed. */
async function failedBeside(sound: string, store = t.store): Promise<readonly unknown[]> {
  const failed: unknown[] = [];
  const attempt = openAttempt((_, turn) => void failed.push(turn));
  const stopping = new AbortController();
  const ports = { ...t.ports, store, stopping: stopping.signal, attempt };
  const purger = startPurger({ ...ports, log: { info: () => undefined, error: fail } });
  await until(async () => (await t.store.purges.get(sound))?.removed.installations === 1);
  stopping.abort();
  await purger.stop();
  return failed;
}

test('an app whose data cannot be deleted is told, and that of the others is', async () => {
  const [spoilt, sound] = [await t.createApp(), await t.createApp()];
  await t.register(sound, [{}]);
  const lost = new Error('WRONGTYPE');
  const { purges } = t.store;
  const run: typeof purges.run = (app, how) => (app === spoilt.id ? Promise.reject(lost) : purges.run(app, how));
  const store = { ...t.store, purges: { ...purges, run } };
  for (const { id } of [spoilt, sound]) await t.store.apps.remove(id);
  expect(await failedBeside(sound.id, store)).toContainEqual({ app: spoilt.id });
});

test('a deletion of which nobody can read how far it is is told of, and begins anew', async () => {
  const spoilt = await t.createApp();
  await t.register(spoilt, [{}]);
  await t.store.apps.remove(spoilt.id);
  await t.spoilPurge(spoilt.id);
  await expect(t.store.purges.get(spoilt.id)).rejects.toThrow(spoilt.id);
  expect((await t.store.purges.list()).get(spoilt.id)).toBeUndefined();
  const errors: unknown[] = [];
  const log = { info: () => undefined, error: (about: object) => void errors.push(about) };
  const stopping = new AbortController();
  const purger = startPurger({ ...t.ports, stopping: stopping.signal, attempt: openAttempt(fail), log });
  await until(async () => (await t.store.purges.get(spoilt.id))?.removed.installations === 1);
  stopping.abort();
  await purger.stop();
  expect(errors).toEqual([{ app: spoilt.id, err: expect.any(Error) }]);
});
