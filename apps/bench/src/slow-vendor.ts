import type { BenchApp, BenchFleet } from './bench-fleet';
import { medianOf, type Benchmark, type BenchOptions, type Figures } from './benchmark';
import { pushToAll } from './fanout';

/** How long the vendor takes for a call; the first, which answers at once, is the baseline of the others. */
const ANSWERS_MS = [0, 50, 200] as const;
const TURNS = 3;
/** Every run begins with the same work, whatever its own size. */
const WARM_UP_DEVICES = 1_000_000;

/** Devices a second. The push before the one that is measured tells the worker what its vendor is like now. */
async function rate(fleet: BenchFleet, app: BenchApp, { size, answerMs }: { size: number; answerMs: number }) {
  await fleet.answerAfter(answerMs);
  await pushToAll(fleet, app);
  await fleet.answerAfter(answerMs);
  const seconds = await pushToAll(fleet, app);
  const { distinctDevices, duplicates } = await fleet.traffic('hms');
  if (distinctDevices !== size || duplicates !== 0)
    throw new Error(`${distinctDevices} of ${size} devices, ${duplicates} doubles`);
  return size / seconds;
}

async function run(fleet: BenchFleet, { size = 500_000, progress }: BenchOptions): Promise<Figures> {
  const app = await fleet.createApp();
  progress(`registering ${size} installations`);
  await fleet.register(app, size);
  progress('warming up');
  for (let i = 0; i < Math.ceil(WARM_UP_DEVICES / size); i += 1) await pushToAll(fleet, app);
  const rates = new Map<number, number[]>(ANSWERS_MS.map((answerMs) => [answerMs, []]));
  for (let turn = 1; turn <= TURNS; turn += 1) {
    progress(`turn ${turn} of ${TURNS}: answers after ${ANSWERS_MS.join(', ')} ms`);
    for (const [answerMs, known] of rates) known.push(await rate(fleet, app, { size, answerMs }));
  }
  const [baseline = NaN, after50 = NaN, after200 = NaN] = ANSWERS_MS.map((answerMs) =>
    medianOf(rates.get(answerMs) ?? []),
  );
  return {
    ratio: after50 / baseline,
    value: after50,
    baseline,
    config: { devices: size, workers: 1, turns: TURNS, answersAfterMs: 50 },
    details: { 'devices/s at 200 ms': after200, 'ratio at 200 ms': after200 / baseline },
  };
}

export const slowVendor: Benchmark = {
  name: 'slow-vendor',
  measures: 'devices/s of an audience push whose vendor answers after 50 ms, against the same with answers at once',
  mustReach: 0.8,
  goal: 0.95,
  unit: 'devices/s',
  workers: ['hms'],
  // A smaller app would need thousands of pushes to warm up.
  sizes: { least: 1000 },
  run,
};
