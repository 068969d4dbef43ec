import { anApp, anInstallation, countCommands, unique } from '@pushfleet/testing';
import { Cluster } from 'ioredis';
import { storeUnderTest } from '../../testing/store-under-test';

const t = storeUnderTest();

test.each([1, 1000])('where all are confirmed, hearing it again of %d devices is one question', async (count) => {
  const app = anApp();
  await t.store.apps.create(app);
  const rows = Array.from({ length: count }, () => ({ objectId: unique('o'), doc: anInstallation() }));
  await t.store.installations.import(app.id, rows);
  const redis = await t.harness.open();
  const commands = await countCommands(redis, t.keys.unconfirmed(app.id, 0).split('{')[0] ?? '');
  const confirm = async (): Promise<void> => {
    const ids = rows.map(({ objectId }) => objectId);
    t.store.confirmations.note(app.id, 'objectId', ids);
    await t.store.confirmations.flush();
  };
  const sent = await commands.during(confirm);
  commands.close();
  if (redis instanceof Cluster) expect(new Set(sent)).toEqual(new Set([count === 1 ? 'zrem' : 'zcard']));
  else expect(sent).toEqual(['exists']);
});
