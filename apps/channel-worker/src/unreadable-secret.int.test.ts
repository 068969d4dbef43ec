import { until } from '@pushfleet/testing';
import { workersUnderTest } from './testing/worker-under-test';

const start = workersUnderTest();

it('pushes wait while the credentials of their profile cannot be opened, and are sent once they can', async () => {
  const worker = await start();
  const ids = await worker.register(Array.from({ length: 30 }, (_, i) => `r${i}`));
  const restore = await worker.spoilProfile();
  const pushes = [await worker.pushToAll(), await worker.pushTo(ids.slice(0, 1))];
  await until(async () => {
    const { values } = await worker.ports.metrics.unreadableSecrets.get();
    return values.some(({ value }) => value >= 3);
  });
  for (const pushId of pushes) {
    const { status, channels } = await worker.record(pushId);
    expect([status, channels['hms']?.failed ?? {}, worker.sent(pushId)]).toEqual(['in-queue', {}, []]);
  }
  await restore();
  expect(await worker.done(pushes[0] ?? '')).toMatchObject({ accepted: 30, failed: {} });
  expect(await worker.done(pushes[1] ?? '')).toMatchObject({ accepted: 1, failed: {} });
  expect(worker.failures).toEqual([]);
});
