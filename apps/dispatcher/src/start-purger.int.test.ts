import { until } from '@pushfleet/testing';
import { openAttempt } from './attempts';
import { startPurger } from './start-purger';
import { dispatcherUnderTest, fail } from './testing/dispatcher-under-test';

const t = dispatcherUnderTest();

test('an app whose data cannot be deleted is told, and that of the others is', async () => {
  const [spoilt, sound] = [await t.createApp(), await t.createApp()];
  await t.register(sound, [{}]);
  const lost = new Error('WRONGTYPE');
  const { purges } = t.store;
  const run: typeof purges.run = (app, how) => (app === spoilt.id ? Promise.reject(lost) : purges.run(app, how));
  const store = { ...t.store, purges: { ...purges, run } };
  for (const { id } of [spoilt, sound]) await t.store.apps.remove(id);
  const failed: unknown[] = [];
  const attempt = openAttempt((_, turn) => void failed.push(turn));
  const stopping = new AbortController();
  const ports = { ...t.ports, store, stopping: stopping.signal, attempt };
  const purger = startPurger({ ...ports, log: { info: () => undefined, error: fail } });
  const isUnderWay = async (): Promise<boolean> => (await purges.get(sound.id))?.removed.installations === 1;
  await until(isUnderWay);
  stopping.abort();
  await purger.stop();
  expect(failed).toContainEqual({ app: spoilt.id });
});
