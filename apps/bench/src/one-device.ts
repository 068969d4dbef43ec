import { cpuSeconds, openBenchFleet, REDIS_CONFIG, type BenchApp, type BenchFleet } from './bench-fleet';
import { timed, type Benchmark, type BenchOptions, type Result } from './benchmark';
import { openBareVendor, readyBody } from './simulated-vendor';

const CONNECTIONS = 64;
const WARM_UP_DEVICES = 20_000;
/** A vendor of one device per call: the simulated HMS, called with one address at a time. */
const SETTINGS = { MAX_BATCH: '1', SEND_CONCURRENCY: String(CONNECTIONS) };

/** Seconds from accept to done. */
async function pushToAll(fleet: BenchFleet, app: BenchApp): Promise<number> {
  const record = await fleet.done(app, await fleet.push(app, { data: { alert: 'Hello', title: 'Title' } }));
  return (Date.parse(record.updatedAt) - Date.parse(record.createdAt)) / 1000;
}

/** The bare sender: ready-made bodies of one address, as many connections, the same HTTP client and simulator. */
async function sendReadyBodies(fleet: BenchFleet, devices: number): Promise<number> {
  const vendor = await openBareVendor(fleet.processes.url('simulator'), fleet.http);
  const bodies = Array.from({ length: 1000 }, () => readyBody(1));
  return timed(devices, CONNECTIONS, (i) => vendor.send(bodies[i % bodies.length] ?? ''));
}

async function run({ size = 50_000, env, progress }: BenchOptions): Promise<Result> {
  const fleet = await openBenchFleet(['hms'], { ...env, ...SETTINGS });
  try {
    const [app, warmUp] = [await fleet.createApp(), await fleet.createApp()];
    progress(`registering ${size} installations`);
    await fleet.register(app, size);
    await fleet.register(warmUp, Math.min(size, WARM_UP_DEVICES));
    progress('warming up');
    await pushToAll(fleet, warmUp);
    await sendReadyBodies(fleet, Math.min(size, WARM_UP_DEVICES));
    progress('baseline: ready-made bodies of one address');
    const baseline = size / (await sendReadyBodies(fleet, size));
    await fleet.resetTraffic();
    progress('the push');
    const worker = fleet.processes.service('worker-hms').pid;
    const cpuBefore = cpuSeconds(worker);
    const seconds = await pushToAll(fleet, app);
    const { calls, distinctDevices, duplicates } = await fleet.traffic('hms');
    if (distinctDevices !== size || duplicates !== 0 || calls < size)
      throw new Error(`${distinctDevices} of ${size} devices in ${calls} calls, ${duplicates} doubles`);
    const value = size / seconds;
    return {
      name: 'one-device',
      ratio: value / baseline,
      value,
      unit: 'devices/s',
      baseline,
      config: { devices: size, workers: 1, batch: 1, connections: CONNECTIONS, redis: REDIS_CONFIG },
      details: { seconds, workerCpuMicrosPerDevice: ((cpuSeconds(worker) - cpuBefore) / size) * 1e6 },
    };
  } finally {
    await fleet.stop();
  }
}

export const oneDevice: Benchmark = {
  name: 'one-device',
  measures: 'devices/s of an audience push over a vendor that takes one device per call, against bare single calls',
  mustReach: 0.5,
  goal: 0.7,
  run,
};
