import { jsonAnswer } from '@pushfleet/channel-kit/testing';
import { workersUnderTest } from './testing/worker-under-test';

const open = workersUnderTest();

/** Xiaomi "Error codes", 2024-10-18: said of a device that is offline, too. */
const NOT_FOUND = jsonAnswer({ result: 'error', code: 65003, reason: 'device not found', trace_id: 'X' });
const PUSHES = 1_000;
const AT_ONCE = 50;

test('after 1,000 pushes to a device of mi that is offline, it gets the first one when it is back', async () => {
  const worker = await open('mi');
  worker.beforeCall = () => Promise.resolve();
  const device = await worker.register(['r-0']);
  const pushAll = async (count: number) => {
    const pushIds = await Promise.all(Array.from({ length: count }, () => worker.pushTo(device)));
    return Promise.all(pushIds.map((pushId) => worker.done(pushId, 60_000)));
  };
  worker.http.interject(NOT_FOUND);
  for (let i = 0; i < PUSHES; i += AT_ONCE) {
    for (const { accepted, discarded } of await pushAll(AT_ONCE))
      expect([accepted, discarded]).toEqual([0, { 'registration-gone': 1 }]);
  }
  expect(worker.http.requests).toHaveLength(PUSHES);
  worker.http.interject(undefined);
  expect(await worker.audienceSize()).toBe(1);
  expect(await worker.done(await worker.pushToAll({ lanes: 1 }))).toMatchObject({ accepted: 1, discarded: {} });
  expect(worker.http.sent.flatMap(({ registrationIds }) => registrationIds)).toEqual(['r-0']);
  expect(await worker.store.installations.get(worker.app.id, device[0] ?? '')).toMatchObject({ valid: true });
});
