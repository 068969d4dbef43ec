import { residentMb, type BenchApp, type BenchFleet } from './bench-fleet';
import { bareRate } from './simulated-vendor';
import { medianOf, type Benchmark, type BenchOptions, type Figures } from './benchmark';
import { cpuDetails, middleOf, usageOf, type Usage } from './usage';

const BARE = { batch: 1000, connections: 16 };
/** Every measurement follows the same work, whatever its own size, so that sizes can be compared. */
const WARM_UP_DEVICES = 1_000_000;
/** Devices that a measurement reaches at least, in several pushes where one is small: one alone is lost in noise. */
const MEASURED_DEVICES = 500_000;
/** The speed of a machine changes within a second: baseline and fleet take turns. */
const ROUNDS = 5;

/** Seconds from accept to done. */
export async function pushToAll(fleet: BenchFleet, app: BenchApp): Promise<number> {
  const record = await fleet.done(app, await fleet.push(app, { data: { alert: 'Hello', title: 'Title' } }));
  return (Date.parse(record.updatedAt) - Date.parse(record.createdAt)) / 1000;
}

interface Round {
  /** Devices a second. */
  readonly baseline: number;
  readonly value: number;
  readonly usage: Usage;
}

async function measure(fleet: BenchFleet, app: BenchApp, size: number): Promise<Round> {
  const baseline = await bareRate(fleet, { devices: size, ...BARE });
  await fleet.resetTraffic();
  const devices = size * Math.ceil(MEASURED_DEVICES / size);
  let seconds = 0;
  const usage = await usageOf(fleet, devices, async () => {
    for (let sent = 0; sent < devices; sent += size) seconds += await pushToAll(fleet, app);
  });
  const { distinctDevices, duplicates } = await fleet.traffic('hms');
  if (distinctDevices !== size || duplicates !== 0)
    throw new Error(`${distinctDevices} of ${size} devices, ${duplicates} doubles`);
  return { baseline, value: devices / seconds, usage };
}

async function run(fleet: BenchFleet, { size = 500_000, progress }: BenchOptions): Promise<Figures> {
  const app = await fleet.createApp();
  progress(`registering ${size} installations`);
  await fleet.register(app, size);
  const warmUps = Math.ceil(WARM_UP_DEVICES / size);
  progress(`warming up: ${warmUps} push${warmUps > 1 ? 'es' : ''}`);
  for (let i = 0; i < warmUps; i += 1) await pushToAll(fleet, app);
  await bareRate(fleet, { devices: Math.min(size, 100_000), ...BARE });
  const pushes = Math.ceil(MEASURED_DEVICES / size);
  const rounds: Round[] = [];
  while (rounds.length < ROUNDS) {
    progress(
      `round ${rounds.length + 1} of ${ROUNDS}: ready-made bodies, then ${pushes} push${pushes > 1 ? 'es' : ''}`,
    );
    rounds.push(await measure(fleet, app, size));
  }
  const value = medianOf(rounds.map((round) => round.value));
  return {
    ratio: medianOf(rounds.map((round) => round.value / round.baseline)),
    value,
    baseline: medianOf(rounds.map(({ baseline }) => baseline)),
    config: {
      devices: size,
      rounds: ROUNDS,
      pushes,
      warmUpPushes: warmUps,
      workers: 1,
      batch: BARE.batch,
      baselineConnections: BARE.connections,
    },
    details: {
      microsPerDevice: 1e6 / value,
      ...cpuDetails(middleOf(rounds.map(({ usage }) => usage)), 'device'),
      workerMb: residentMb(fleet.processes.service('worker-hms').pid),
      dispatcherMb: residentMb(fleet.processes.service('dispatcher').pid),
    },
  };
}

export const fanout: Benchmark = {
  name: 'fanout',
  measures: 'devices/s of an audience push, one worker process, against the bare sender of ready-made bodies',
  mustReach: 0.35,
  goal: 0.6,
  unit: 'devices/s',
  workers: ['hms'],
  // A smaller app would need thousands of pushes to warm up.
  sizes: { least: BARE.batch },
  run,
};
