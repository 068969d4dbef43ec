import { request } from 'undici';
import { arrivalTimes } from './arrival';
import type { BenchApp, BenchFleet } from './bench-fleet';
import { cpuDetails, usageOf } from './usage';
import { percentile, timed, type Benchmark, type BenchOptions, type Figures } from './benchmark';

const PER_SECOND = 100;
const BUSY_PER_SECOND = 800;
/** Messages that the simulated vendor keeps, whose times are read from it. */
const MOST = 1000;
/** Each takes a second, for the same reason. */
const BUSY_ROUNDS = 5;
/** What two hops through queues may add to the bare round trip. */
const ALLOWANCE_MS = 5;
/** Pushes before the clock starts: the compiler of a new process is busy with its code at first. */
const WARM_UP = 5000;

async function run(fleet: BenchFleet, { size = 800, progress }: BenchOptions): Promise<Figures> {
  const app = await fleet.createApp();
  const objectIds = await fleet.register(app, 1000);
  progress(`warming up with ${WARM_UP} pushes`);
  await timed(WARM_UP, 8, async (i) => {
    await fleet.push(app, { where: { objectId: objectIds[i % objectIds.length] }, data: { alert: `code ${i}` } });
  });
  await arrivalTimes(fleet, app, { objectIds, count: 200, everyMs: 1000 / PER_SECOND });
  progress('baseline: round trips to the simulator');
  const trips: number[] = [];
  for (let i = 0; i < 300; i += 1) {
    const startedAt = performance.now();
    const answer = await request(`${fleet.processes.url('simulator')}/_simulator/stats`, { dispatcher: fleet.http });
    await answer.body.text();
    trips.push(performance.now() - startedAt);
  }
  const baseline = percentile(
    trips.sort((a, b) => a - b),
    0.5,
  );
  progress(`${size} pushes, ${PER_SECOND} per second`);
  await fleet.resetTraffic();
  const times = await arrivalTimes(fleet, app, { objectIds, count: size, everyMs: 1000 / PER_SECOND });
  const value = percentile(times, 0.5);
  progress(`${BUSY_ROUNDS * BUSY_PER_SECOND} pushes, ${BUSY_PER_SECOND} per second`);
  let busy: readonly number[] = [];
  const usage = await usageOf(fleet, BUSY_ROUNDS * BUSY_PER_SECOND, async () => {
    busy = await busyTimes(fleet, app, objectIds);
  });
  return {
    ratio: (baseline + ALLOWANCE_MS) / value,
    value,
    baseline,
    config: {
      pushes: size,
      perSecond: PER_SECOND,
      warmUp: WARM_UP,
      processes: 'ingress 1, dispatcher 1, worker 1',
    },
    details: {
      p90: percentile(times, 0.9),
      p99: percentile(times, 0.99),
      max: percentile(times, 1),
      [`p50 at ${BUSY_PER_SECOND}/s`]: percentile(busy, 0.5),
      [`p99 at ${BUSY_PER_SECOND}/s`]: percentile(busy, 0.99),
      ...cpuDetails(usage, 'push'),
    },
  };
}

async function busyTimes(fleet: BenchFleet, app: BenchApp, objectIds: readonly string[]): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < BUSY_ROUNDS; round += 1) {
    const second = { objectIds, count: BUSY_PER_SECOND, everyMs: 1000 / BUSY_PER_SECOND };
    times.push(...(await arrivalTimes(fleet, app, second)));
  }
  return times.sort((a, b) => a - b);
}

export const latency: Benchmark = {
  name: 'latency',
  measures:
    'ms from the POST to the vendor call at 100 pushes/s, against an HTTP round trip to the simulator plus 5 ms; also at 800',
  mustReach: 1,
  goal: 1,
  unit: 'ms (p50)',
  workers: ['hms'],
  sizes: { most: MOST },
  run,
};
