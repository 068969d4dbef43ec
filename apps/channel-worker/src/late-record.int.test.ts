import { setTimeout as delay } from 'node:timers/promises';
import { RECORD_LATE_MS } from '@pushfleet/queues';
import { planDirect } from '@pushfleet/store';
import { until } from '@pushfleet/testing';
import { sendPages } from './send-pages';
import { workersUnderTest } from './testing/worker-under-test';

const open = workersUnderTest();

test('a carrier job that is faster than the record of its push waits for it, and the device is called', async () => {
  const worker = await open('hms');
  const [objectId = ''] = await worker.register(['r-0']);
  const { pages, books } = planDirect(
    () => ({ channel: 'hms', profile: '_default' }),
    [{ bucket: 'hms/_default', installation: { objectId, registrationId: 'r-0' } }],
  );
  const pushId = await worker.accept();
  const carried = pages.map((page) => ({ ...page, envelope: 'mine' }));
  await worker.store.ledger.plan({ pushId, lanes: [], pages: carried, books, now: Date.now() });
  const putBack = await worker.hidePush(pushId);
  const look = jest.spyOn(worker.store.pushes, 'withPage');
  await worker.jobs.direct.add([{ id: 'mine-hms', data: { pages: [{ pushId, page: 1 }], envelope: 'mine' } }]);
  await until(() => look.mock.calls.length > 0);
  await delay(200);
  await putBack();
  expect(await look.mock.results[0]?.value).toBeUndefined();
  // Nobody here looks for open pushes without a job.
  expect(await worker.done(pushId)).toMatchObject({ accepted: 1 });
  expect([worker.sent(pushId), worker.failures]).toEqual([['r-0'], []]);
});

test('a carrier job of a push that was not accepted is dropped after a while', async () => {
  const worker = await open('hms');
  const job = worker.held({ pages: [{ pushId: '0123456789abcd00', page: 1 }], envelope: 'mine' });
  expect(await sendPages(worker.ports, job)).toEqual({ again: 50 });
  expect(await sendPages(worker.ports, { ...job, addedAt: Date.now() - RECORD_LATE_MS })).toBe('done');
});
