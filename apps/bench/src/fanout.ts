import { cpuSeconds, openBenchFleet, REDIS_CONFIG, residentMb, type BenchFleet } from './bench-fleet';
import { openBareVendor, readyBody } from './simulated-vendor';
import { timed, type Benchmark, type BenchOptions, type Result } from './benchmark';

const BATCH = 1000;
const BASELINE_CONCURRENCY = 16;

/** The bare sender: ready-made bodies, the same HTTP client, the same simulator. */
async function sendReadyBodies(fleet: BenchFleet, devices: number): Promise<number> {
  const vendor = await openBareVendor(fleet.processes.url('simulator'), fleet.http);
  const bodies = Array.from({ length: 20 }, () => readyBody(BATCH));
  return timed(devices / BATCH, BASELINE_CONCURRENCY, (i) => vendor.send(bodies[i % bodies.length] ?? ''));
}

async function run({ size = 500_000, progress }: BenchOptions): Promise<Result> {
  const fleet = await openBenchFleet(['hms']);
  try {
    const app = await fleet.createApp();
    progress(`registering ${size} installations`);
    await fleet.register(app, size);
    progress('one warm-up push');
    await fleet.done(app, await fleet.push(app, { data: { alert: 'warm-up' } }));
    await sendReadyBodies(fleet, Math.min(size, 100_000));
    progress('baseline: ready-made bodies');
    const baseline = size / (await sendReadyBodies(fleet, size));
    await fleet.resetTraffic();
    progress('the push');
    const worker = fleet.processes.service('worker-hms').pid;
    const cpuBefore = cpuSeconds(worker);
    const record = await fleet.done(app, await fleet.push(app, { data: { alert: 'Hello', title: 'Title' } }));
    const seconds = (Date.parse(record.updatedAt) - Date.parse(record.createdAt)) / 1000;
    const { distinctDevices, duplicates } = await fleet.traffic('hms');
    if (distinctDevices !== size || duplicates !== 0)
      throw new Error(`${distinctDevices} of ${size} devices, ${duplicates} doubles`);
    const value = size / seconds;
    return {
      name: 'fanout',
      ratio: value / baseline,
      value,
      unit: 'devices/s',
      baseline,
      config: {
        devices: size,
        workers: 1,
        batch: BATCH,
        baselineConnections: BASELINE_CONCURRENCY,
        redis: REDIS_CONFIG,
      },
      details: {
        seconds,
        workerCpuMicrosPerDevice: ((cpuSeconds(worker) - cpuBefore) / size) * 1e6,
        workerMb: residentMb(worker),
        dispatcherMb: residentMb(fleet.processes.service('dispatcher').pid),
      },
    };
  } finally {
    await fleet.stop();
  }
}

export const fanout: Benchmark = {
  name: 'fanout',
  measures: 'devices/s of an audience push, one worker process, against the bare sender of ready-made bodies',
  mustReach: 0.2,
  goal: 0.5,
  run,
};
