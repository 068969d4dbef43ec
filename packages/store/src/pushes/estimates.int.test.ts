import { Books } from './books';
import { acceptOne } from '../testing/a-push';
import { storeUnderTest } from '../testing/store-under-test';

const t = storeUnderTest();

async function planned(counts: Readonly<Record<string, number>>): Promise<string> {
  const pushId = await acceptOne(t);
  const books = new Books('hms');
  for (const [name, count] of Object.entries(counts)) books.add(name, count);
  const page = { channel: 'hms', profile: '_default', devices: [], dueAt: 0, tries: 0, direct: true };
  await t.store.ledger.plan({ pushId, lanes: [], pages: [page], books: [books], now: t.clock.now() });
  return pushId;
}

const note = (pushId: string, channel = 'hms', devicesPerSecond = 100): Promise<void> =>
  t.store.pacing.estimates.note({ pushId, channel, devicesPerSecond, now: t.clock.now() });
const estimate = async (pushId: string): Promise<number | undefined> =>
  (await t.store.pushes.read(pushId))?.estimatedDoneAt;

it('a push that waits will be done when the devices that are left have had their turn', async () => {
  const pushId = await planned({ expected: 1000, matched: 400, outstanding: 100 });
  expect(await estimate(pushId)).toBeUndefined();
  await note(pushId);
  expect(await estimate(pushId)).toBe(t.clock.now() + 7000);
});

it('the slowest channel decides', async () => {
  const pushId = await planned({ expected: 1000 });
  await note(pushId, 'hms', 1000);
  await note(pushId, 'mi', 1000);
  expect(await estimate(pushId)).toBe(t.clock.now() + 1000);
});

it('an estimate that has passed is not told, nor one of a push that is done', async () => {
  const late = await planned({ expected: 100 });
  const done = await planned({ expected: 100 });
  for (const pushId of [late, done]) await note(pushId);
  await t.store.ledger.fold({ pushId: done, part: { page: 1 }, books: new Books('hms'), now: t.clock.now() });
  expect(await estimate(done)).toBeUndefined();
  await note(done);
  expect(await estimate(done)).toBeUndefined();
  t.clock.advance(1000);
  expect(await estimate(late)).toBeUndefined();
});

it('a record that is gone stays gone', async () => {
  await note('0000000000000000');
  expect(await t.store.pushes.read('0000000000000000')).toBeUndefined();
});
