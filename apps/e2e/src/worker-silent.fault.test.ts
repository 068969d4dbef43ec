import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { until, type Service } from '@pushfleet/testing';
import { registerDevices } from './devices';
import { expectBalanced, Fleet, type DemoApp } from './fleet';

const DEVICES = 8000;
const SEND_CONCURRENCY = 4;
const BATCH = 1000;
const CALL_MS = 1000;
/** Longer than others take to find out that a process is gone. */
const SILENT_MS = 4000;
const WORKER = { CHANNEL: 'hms', SEND_CONCURRENCY: String(SEND_CONCURRENCY), STARVED_MS: String(SILENT_MS) };
const NODE_OPTIONS = `--require=${join(__dirname, 'testing/starve-on-signal.cjs')}`;

let fleet: Fleet;
let app: DemoApp;
let workers = 0;

beforeAll(async () => {
  fleet = await Fleet.start([]);
  app = await fleet.createApp();
  await registerDevices(fleet, app, DEVICES);
});

afterAll(() => fleet.stop());

const runWorker = (lockMs: number): Promise<Service> => {
  const locks = { BULK_LOCK_MS: String(lockMs), DIRECT_LOCK_MS: String(lockMs) };
  return fleet.run('channel-worker', { ...WORKER, ...locks, NODE_OPTIONS }, `worker-${(workers += 1)}`);
};

/** One worker holds the campaign, and the other lives but looks away until then. */
async function campaignOfOne(lockMs: number): Promise<{ holder: Service; other: Service; pushId: string }> {
  await fleet.simulator('DELETE', '');
  await fleet.simulator('PUT', '/faults', {
    channel: 'hms',
    kind: 'slow',
    path: 'messages:send',
    delayMs: CALL_MS,
  });
  const [holder, other] = [await runWorker(lockMs), await runWorker(lockMs)];
  process.kill(other.pid, 'SIGSTOP');
  const { objectId: pushId } = await fleet.push(app, { data: { alert: 'campaign' } });
  await until(async () => (await fleet.traffic('hms')).devices >= BATCH);
  process.kill(other.pid, 'SIGCONT');
  return { holder, other, pushId };
}

async function allSent(pushId: string): Promise<number> {
  const record = await fleet.done(app, pushId);
  expectBalanced(record);
  expect(record.channels['hms']).toMatchObject({ matched: DEVICES, accepted: DEVICES, outstanding: 0 });
  const { distinctDevices, duplicates } = await fleet.traffic('hms');
  expect(distinctDevices).toBe(DEVICES);
  return duplicates;
}

test.each([
  ['is stopped', ['SIGSTOP', 'SIGCONT']],
  ['has no turn of its event loop', ['SIGUSR2']],
] as const)('a worker that %s for a while keeps what it has in flight', async (_, [begin, end]) => {
  const { holder, other, pushId } = await campaignOfOne(60_000);
  process.kill(holder.pid, begin);
  await delay(SILENT_MS);
  if (end) process.kill(holder.pid, end);
  expect(await allSent(pushId)).toBe(0);
  await Promise.all([holder.stop(), other.stop()]);
});

test('the work of a worker that is killed goes on though its locks last', async () => {
  const { holder, other, pushId } = await campaignOfOne(600_000);
  await holder.stop('SIGKILL');
  const doubled = await allSent(pushId);
  expect(doubled).toBeGreaterThan(0);
  expect(doubled).toBeLessThanOrEqual(SEND_CONCURRENCY * BATCH);
  await other.stop();
});
