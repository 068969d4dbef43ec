import { openMetrics } from '@pushfleet/service-kit';
import { Books } from '@pushfleet/store';
import { openAttempt } from './attempts';
import { dispatcherMetrics } from './metrics';
import { sweepPushes } from './sweep-pushes';
import { attempt, dispatcherUnderTest } from './testing/dispatcher-under-test';

const t = dispatcherUnderTest();
const HOUR_MS = 3_600_000;

/** A push that is done, with its text in the mailbox of a device. */
async function aPushThatWaits(): Promise<string> {
  const app = await t.createApp();
  const pushId = await t.accept(app);
  const push = { pushId, app: app.id, text: '{"alert":"hi"}', expiresAt: Date.now() + HOUR_MS };
  await t.store.mailboxes.put({ push, installationIds: ['device'], limit: 50 });
  const books = new Books('own');
  for (const name of ['matched', 'accepted']) books.add(name, 1);
  await t.store.ledger.plan({ pushId, lanes: [], pages: [], books: [books], now: Date.now() });
  return pushId;
}

function sweep({ store = t.store, trying = attempt, signal = new AbortController().signal } = {}) {
  const metrics = dispatcherMetrics(openMetrics('dispatcher'));
  const ports = { store, stopping: signal, attempt: trying, metrics };
  return sweepPushes(ports, { OWN_CHANNEL_TEXTS_MAX_BYTES: 0, PUSH_RECORDS_MAX_BYTES: 0 });
}

const lapsed = async (): Promise<number | undefined> =>
  (await t.store.deviceTotals()).find(({ channel, value }) => channel === 'own' && value === 'lapsed')?.count;

test('what lapses is counted before the record of its push goes', async () => {
  const pushId = await aPushThatWaits();
  expect(await sweep()).toBe(true);
  expect(await t.store.mailboxes.message(pushId)).toBeUndefined();
  expect(await t.store.pushes.read(pushId)).toBeUndefined();
  expect(await lapsed()).toBe(1);
});

test('records go where texts fail, which is told, and the sweep is not whole', async () => {
  const pushId = await aPushThatWaits();
  await t.spoilTexts(pushId);
  const told: unknown[] = [];
  const trying = openAttempt((error, turn) => told.push([String(error), turn]));
  expect(await sweep({ trying })).toBe(false);
  expect(told).toEqual([[expect.stringContaining('WRONGTYPE'), { kept: 'texts' }]]);
  expect(await t.store.pushes.read(pushId)).toBeUndefined();
  expect(await t.store.mailboxes.message(pushId)).toBeDefined();
});

test('nothing is swept when the process stops', async () => {
  const pushId = await aPushThatWaits();
  expect(await sweep({ signal: AbortSignal.abort() })).toBe(false);
  expect(await t.store.pushes.read(pushId)).toBeDefined();
});
