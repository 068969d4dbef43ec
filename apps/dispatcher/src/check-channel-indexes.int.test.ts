import { countCommands } from '@pushfleet/testing';
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
