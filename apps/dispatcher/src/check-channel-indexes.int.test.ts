import { countCommands, mastersOf } from '@pushfleet/testing';
import { openIndexChecker } from './check-channel-indexes';
import { attempt, dispatcherUnderTest } from './testing/dispatcher-under-test';

const t = dispatcherUnderTest();

test('apps whose indexes are not due cost no commands of their own, and a new one is checked all the same', async () => {
  const { channels } = t.store.installations;
  // That the fleet was seen is written once in a while.
  const now = Date.now();
  await channels.noteFleet({ now, isFresh: async () => true });
  const { signal: stopping } = new AbortController();
  const check = openIndexChecker({ store: t.store, now: () => now, stopping, attempt });
  const commands = await countCommands(t.redis, t.at('any').namespace);
  for (let i = 0; i < 5; i += 1) await t.createApp();
  await check();
  const ofFew = await commands.during(check);
  for (let i = 0; i < 10; i += 1) await t.createApp();
  await check();
  const ofMore = await commands.during(check);
  expect(ofMore).toEqual(ofFew);
  const { id } = await t.createApp();
  await check();
  expect(await channels.isSound(id)).toBe(true);
  commands.close();
});

test('a look for what is due does not read what it does not need of a thousand idle apps', async () => {
  const now = Date.now();
  await t.store.installations.channels.noteFleet({ now, isFresh: async () => true });
  const { signal: stopping } = new AbortController();
  const check = openIndexChecker({ store: t.store, now: () => now, stopping, attempt });
  const bytesRead = () => mastersOf(t.redis).reduce((sum, { stream }) => sum + stream.bytesRead, 0);
  const cost = async (): Promise<number> => {
    const before = bytesRead();
    await check();
    return bytesRead() - before;
  };
  const apps = 10;
  await check();
  const ofNone = await cost();
  for (let i = 0; i < apps; i += 1) await t.createApp([]);
  await check();
  // The id of an app and how far its index is; its settings and sealed keys are three times as long.
  expect(((await cost()) - ofNone) / apps).toBeLessThan(250);
});
