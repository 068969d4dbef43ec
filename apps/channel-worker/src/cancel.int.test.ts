import { imbalanceOf, PAGE_DEVICES } from '@pushfleet/domain';
import { Books } from '@pushfleet/store';
import { until } from '@pushfleet/testing';
import { sendPages } from './send-pages';
import { workersUnderTest, type WorkerUnderTest } from './testing/worker-under-test';

const start = workersUnderTest();
const registrations = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `r${i}`);

/** A page of a new push, which nobody sends but the test. */
async function planPage(worker: WorkerUnderTest, devices: readonly (readonly [string, string])[], dueAt: number) {
  const pushId = await worker.accept();
  const { channel } = worker.ports;
  const page = { channel, profile: '_default', devices, dueAt, tries: 0, direct: true };
  const books = new Books(channel);
  books.add('matched', devices.length);
  books.add('outstanding', devices.length);
  await worker.store.ledger.plan({ pushId, lanes: [], pages: [page], books: [books], now: Date.now() });
  return pushId;
}

describe('a cancel', () => {
  test('in the middle of a campaign books everybody who is left, and calls nobody for them', async () => {
    const worker = await start('mz');
    await worker.register(registrations(2500));
    let calls = 0;
    let pushId = '';
    worker.beforeCall = async () => {
      calls += 1;
      if (calls === 3) await worker.store.pushes.cancel(pushId, Date.now());
    };
    pushId = await worker.pushToAll();
    const { matched, accepted, discarded } = await worker.done(pushId);
    expect([matched, accepted + (discarded['cancelled'] ?? 0)]).toEqual([2500, 2500]);
    expect(worker.sent(pushId)).toHaveLength(accepted);
    // Pages that were begun before: one profile has two of them under way.
    expect(accepted).toBeLessThanOrEqual(2 * PAGE_DEVICES);
    expect(await worker.record(pushId)).toMatchObject({ isCancelled: true, status: 'done' });
  });

  test.each(['cancelled', 'expired'] as const)(
    'that was %s with calls under way shows them until they end, and adds up at every moment',
    async (end) => {
      const worker = await start();
      await worker.register(registrations(1500));
      let answer: () => void = () => undefined;
      const answered = new Promise<void>((resolve) => (answer = resolve));
      worker.afterCall = async ({ url }) => (url.endsWith(':send') ? answered : undefined);
      const expiresInMs = end === 'expired' ? 1500 : 60_000;
      const pushId = await worker.pushToAll({ lanes: 1, expected: 1500, expiresInMs });
      await until(() => worker.sent(pushId).length > 0);
      if (end === 'cancelled') await worker.store.pushes.cancel(pushId, Date.now());
      const look = async () => {
        const record = await worker.record(pushId);
        const books = record.channels['hms'];
        expect(books && imbalanceOf(books)).toBe(0);
        const [told] = await worker.store.waits.tell([record]);
        return { isOver: record.isCancelled === true || record.expiresAt <= Date.now(), waiting: told?.waiting ?? [] };
      };
      const underWay = { channel: 'hms', profile: '_default', reason: 'under-way', until: expect.any(Number) };
      await until(async () => {
        const { isOver, waiting } = await look();
        return isOver && waiting.length > 0;
      });
      const devices = worker.sent(pushId).length;
      expect((await look()).waiting).toEqual([{ ...underWay, devices }]);
      answer();
      await until(async () => (await look()).waiting.length === 0);
      const { matched, accepted, discarded } = await worker.done(pushId);
      expect([matched, accepted + (discarded[end] ?? 0)]).toEqual([1500, 1500]);
      expect(accepted).toBe(devices);
    },
  );

  test('books devices that wait for another try without waiting', async () => {
    const worker = await start();
    const pushId = await planPage(worker, [['o1', 'r1']], Date.now() + 3_600_000);
    const page = () => sendPages(worker.ports, worker.held({ pages: [{ pushId, page: 1 }] }));
    expect(await page()).toMatchObject({ again: expect.any(Number) });
    await worker.store.pushes.cancel(pushId, Date.now());
    expect(await page()).toBe('done');
    expect((await worker.done(pushId)).discarded).toEqual({ cancelled: 1 });
    expect(worker.sent(pushId)).toEqual([]);
  });
});

test('a quota that ends within a campaign refuses the rest, and the books add up', async () => {
  const worker = await start('mz');
  await worker.store.apps.update(worker.app.id, (app) => ({
    ...app,
    limits: { ...app.limits, deliveriesPerDay: 250 },
  }));
  await worker.register(registrations(600));
  const { accepted, discarded } = await worker.done(await worker.pushToAll());
  expect([accepted, discarded['quota-exceeded']]).toEqual([250, 350]);
});

test('an address that its sender knew himself is tried again as it is, and retired when it is dead', async () => {
  const worker = await start();
  await worker.register(['gone-r1']);
  const pushId = await planPage(
    worker,
    [
      ['r2', 'r2'],
      ['gone-r1', 'gone-r1'],
    ],
    0,
  );
  worker.http.misbehave({ kind: 'http-5xx', times: 1 });
  await sendPages(worker.ports, worker.held({ pages: [{ pushId, page: 1 }] }));
  expect(await worker.done(pushId)).toMatchObject({ accepted: 1, discarded: { 'registration-gone': 1 } });
  expect(worker.sent(pushId)).toContain('r2');
  await until(async () => (await worker.audienceSize()) === 0);
});
