import type { StoredPage } from '@pushfleet/domain';
import { Books } from '@pushfleet/store';
import { sendPages, type PagePorts } from './send-pages';
import { workersUnderTest, type WorkerUnderTest } from './testing/worker-under-test';

const open = workersUnderTest();

/** Of one call: `taken` is accepted, `late` asks for another try, `dead` has gone. */
const MIXED = JSON.stringify({
  code: 200,
  message: 'Success',
  data: { sendResult: true, requestId: 'r', failTokens: ['late'], expireTokens: ['dead'] },
});

/** A page of three devices that nobody sends but the test, whose vendor answers without receipts. */
async function mixedPage() {
  const worker = await open('honor');
  const devices = await worker.register(['taken', 'late', 'dead']);
  const registrationIds = new Map(devices.map((objectId, i) => [objectId, ['taken', 'late', 'dead'][i] ?? '']));
  const calls: string[] = [];
  const { request } = worker.http;
  worker.http.request = async (asked) => {
    if (!asked.url.includes('sendMessage')) return request(asked);
    calls.push(asked.url);
    return { status: 200, body: MIXED, retryAfterMs: undefined };
  };
  const planned = async (): Promise<string> => {
    const pushId = await worker.accept();
    const page: StoredPage = {
      ...{ channel: 'honor', profile: '_default', dueAt: 0, tries: 0, direct: true },
      devices: [...registrationIds],
    };
    const books = new Books('honor');
    books.add('matched', 3);
    books.add('outstanding', 3);
    await worker.store.ledger.plan({ pushId, lanes: [], pages: [page], books: [books], now: Date.now() });
    return pushId;
  };
  const ports: PagePorts = { ...worker.ports, ingressPublicUrl: undefined };
  const [, late = '', dead = ''] = devices;
  return { worker, ports, calls, late, dead, pushId: await planned(), planned };
}

const send = (worker: WorkerUnderTest, ports: PagePorts, pushId: string) =>
  sendPages(ports, worker.held({ pages: [{ pushId, page: 1 }] }));
const die = (): never => {
  throw new Error('killed');
};

async function expectFoldedOnce(worker: WorkerUnderTest, pushId: string, late: string): Promise<void> {
  const { channels } = await worker.record(pushId);
  expect(channels['honor']).toMatchObject({
    ...{ matched: 3, accepted: 1, outstanding: 1, failed: {}, discarded: { 'registration-gone': 1 } },
  });
  const { pages } = await worker.store.ledger.openParts(pushId);
  expect(pages.map(([number, { devices, tries, unknowns }]) => ({ number, devices, tries, unknowns }))).toEqual([
    { number: 2, devices: [[late]], tries: 1, unknowns: 0 },
  ]);
}

test('a worker that is killed between the answer and the fold calls again, and books each device once', async () => {
  const { worker, ports, calls, late, pushId } = await mixedPage();
  const store = { ...ports.store, ledger: { ...ports.store.ledger, fold: async () => die() } };
  await expect(send(worker, { ...ports, store }, pushId)).rejects.toThrow('killed');
  expect((await worker.record(pushId)).channels['honor']).toMatchObject({ outstanding: 3, accepted: 0 });
  expect(await send(worker, ports, pushId)).toBe('done');
  expect(calls).toHaveLength(2);
  await expectFoldedOnce(worker, pushId, late);
});

test('a worker that is killed between the fold and the end of its job has called once, and what is left stays in the ledger', async () => {
  const { worker, ports, calls, late, pushId } = await mixedPage();
  const direct = { ...ports.direct, add: async () => die() };
  await expect(send(worker, { ...ports, direct }, pushId)).rejects.toThrow('killed');
  expect(await send(worker, ports, pushId)).toBe('done');
  expect(calls).toHaveLength(1);
  await expectFoldedOnce(worker, pushId, late);
});

test('a worker that is killed before it retires what it has booked leaves that to the next push, and books each device once', async () => {
  const { worker, ports, calls, late, dead, pushId, planned } = await mixedPage();
  const installations = { ...ports.store.installations, retire: async () => die() };
  const store = { ...ports.store, installations };
  await expect(send(worker, { ...ports, store }, pushId)).rejects.toThrow('killed');
  expect(await send(worker, ports, pushId)).toBe('done');
  expect(calls).toHaveLength(1);
  await expectFoldedOnce(worker, pushId, late);
  const isValid = async () => (await worker.store.installations.get(worker.app.id, dead))?.valid;
  expect(await isValid()).toBe(true);
  expect(await send(worker, ports, await planned())).toBe('done');
  expect(await isValid()).toBe(false);
});
