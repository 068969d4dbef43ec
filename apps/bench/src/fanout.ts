import { residentMb, type BenchApp, type BenchFleet } from './bench-fleet';
import { bareRate } from './simulated-vendor';
import { type Benchmark, type BenchOptions, type Figures } from './benchmark';
import { cpuDetails, usageOf } from './usage';

const BATCH = 1000;
const BASELINE_CONCURRENCY = 16;
/** Every measurement follows the same work, whatever its own size, so that sizes can be compared. */
const WARM_UP_DEVICES = 1_000_000;
/** Devices that a measurement reaches at least, in several pushes where one is small: one alone is lost in noise. */
const MEASURED_DEVICES = 500_000;

/** Seconds from accept to done. */
export async function pushToAll(fleet: BenchFleet, app: BenchApp): Promise<number> {
  const record = await fleet.done(app, await fleet.push(app, { data: { alert: 'Hello', title: 'Title' } }));
  return (Date.parse(record.updatedAt) - Date.parse(record.createdAt)) / 1000;
}

async function run(fleet: BenchFleet, { size = 500_000, progress }: BenchOptions): Promise<Figures> {
  const app = await fleet.createApp();
  progress(`registering ${size} installations`);
  await fleet.register(app, size);
  const warmUps = Math.ceil(WARM_UP_DEVICES / size);
  progress(`warming up: ${warmUps} push${warmUps > 1 ? 'es' : ''}`);
  for (let i = 0; i < warmUps; i += 1) await pushToAll(fleet, app);
  const bare = { batch: BATCH, connections: BASELINE_CONCURRENCY };
  await bareRate(fleet, { devices: Math.min(size, 100_000), ...bare });
  progress('baseline: ready-made bodies');
  const baseline = await bareRate(fleet, { devices: size, ...bare });
  await fleet.resetTraffic();
  const pushes = Math.ceil(MEASURED_DEVICES / size);
  progress(pushes === 1 ? 'the push' : `${pushes} pushes, one after the other`);
  const worker = fleet.processes.service('worker-hms').pid;
  let seconds = 0;
  const usage = await usageOf(fleet, size * pushes, async () => {
    for (let i = 0; i < pushes; i += 1) seconds += await pushToAll(fleet, app);
  });
  const { distinctDevices, duplicates } = await fleet.traffic('hms');
  if (distinctDevices !== size || duplicates !== 0)
    throw new Error(`${distinctDevices} of ${size} devices, ${duplicates} doubles`);
  const value = (size * pushes) / seconds;
  return {
    ratio: value / baseline,
    value,
    baseline,
    config: {
      devices: size,
      pushes,
      warmUpPushes: warmUps,
      workers: 1,
      batch: BATCH,
      baselineConnections: BASELINE_CONCURRENCY,
    },
    details: {
      seconds,
      microsPerDevice: 1e6 / value,
      ...cpuDetails(usage, 'device'),
      workerMb: residentMb(worker),
      dispatcherMb: residentMb(fleet.processes.service('dispatcher').pid),
    },
  };
}

export const fanout: Benchmark = {
  name: 'fanout',
  measures: 'devices/s of an audience push, one worker process, against the bare sender of ready-made bodies',
  mustReach: 0.2,
  goal: 0.5,
  unit: 'devices/s',
  workers: ['hms'],
  // A smaller app would need thousands of pushes to warm up.
  sizes: { least: BATCH },
  run,
};
