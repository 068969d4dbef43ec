import { cpuSeconds, type BenchApp, type BenchFleet } from './bench-fleet';
import { medianOf, type Benchmark, type BenchOptions, type Figures } from './benchmark';
import { bareRate } from './simulated-vendor';

const CONNECTIONS = 64;
/** Both ways take turns, so that a machine that becomes slower slows both. */
const ROUNDS = 9;
/** Rounds before the clock starts: the compiler of a new process is busy with its code at first. */
const WARM_UPS = 2;
/** A vendor of one device per call: the simulated HMS, called with one address at a time. */
const SETTINGS = { MAX_BATCH: '1', SEND_CONCURRENCY: String(CONNECTIONS) };

/** Devices a second. */
interface Round {
  readonly value: number;
  readonly baseline: number;
  readonly workerCpuMicros: number;
}

/** From accept to done. */
async function pushToAll(fleet: BenchFleet, app: BenchApp, size: number): Promise<number> {
  await fleet.resetTraffic();
  const record = await fleet.done(app, await fleet.push(app, { data: { alert: 'Hello', title: 'Title' } }));
  const { calls, distinctDevices, duplicates } = await fleet.traffic('hms');
  if (distinctDevices !== size || duplicates !== 0 || calls < size)
    throw new Error(`${distinctDevices} of ${size} devices in ${calls} calls, ${duplicates} doubles`);
  return (size * 1000) / (Date.parse(record.updatedAt) - Date.parse(record.createdAt));
}

async function roundOf(fleet: BenchFleet, app: BenchApp, size: number): Promise<Round> {
  const baseline = await bareRate(fleet, { devices: size, batch: 1, connections: CONNECTIONS });
  const worker = fleet.processes.service('worker-hms').pid;
  const cpuBefore = cpuSeconds(worker);
  const value = await pushToAll(fleet, app, size);
  return { value, baseline, workerCpuMicros: ((cpuSeconds(worker) - cpuBefore) / size) * 1e6 };
}

async function run(fleet: BenchFleet, { size = 20_000, progress }: BenchOptions): Promise<Figures> {
  const app = await fleet.createApp();
  progress(`registering ${size} installations`);
  await fleet.register(app, size);
  progress('warming up');
  for (let i = 0; i < WARM_UPS; i += 1) await roundOf(fleet, app, size);
  const rounds: Round[] = [];
  progress(`${ROUNDS} rounds: ready-made bodies of one address, then a push`);
  while (rounds.length < ROUNDS) rounds.push(await roundOf(fleet, app, size));
  const ratios = rounds.map(({ value, baseline }) => value / baseline);
  return {
    ratio: medianOf(ratios),
    value: medianOf(rounds.map(({ value }) => value)),
    baseline: medianOf(rounds.map(({ baseline }) => baseline)),
    config: {
      devices: size,
      rounds: ROUNDS,
      workers: 1,
      batch: 1,
      connections: CONNECTIONS,
    },
    details: {
      leastRatio: Math.min(...ratios),
      mostRatio: Math.max(...ratios),
      workerCpuMicrosPerDevice: medianOf(rounds.map(({ workerCpuMicros }) => workerCpuMicros)),
    },
  };
}

export const oneDevice: Benchmark = {
  name: 'one-device',
  measures: 'devices/s of an audience push over a vendor that takes one device per call, against bare single calls',
  mustReach: 0.5,
  goal: 0.7,
  unit: 'devices/s',
  workers: ['hms'],
  settings: SETTINGS,
  run,
};
