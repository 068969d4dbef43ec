import { type BenchApp, type BenchFleet } from './bench-fleet';
import { percentile, type Benchmark, type BenchOptions, type Figures } from './benchmark';

const THROTTLED_VENDOR_APP = '200';
const ROUNDS = 7;
const WARM_UP_PUSHES = 4;

async function medianOf(measure: () => Promise<number>): Promise<number> {
  const seconds: number[] = [];
  for (let i = 0; i < ROUNDS; i += 1) seconds.push(await measure());
  return percentile(
    seconds.sort((a, b) => a - b),
    0.5,
  );
}

async function secondsOf(fleet: BenchFleet, app: BenchApp): Promise<number> {
  const record = await fleet.done(app, await fleet.push(app, { data: { alert: 'Hello' } }));
  return (Date.parse(record.updatedAt) - Date.parse(record.createdAt)) / 1000;
}

async function run(fleet: BenchFleet, { size = 200_000, progress }: BenchOptions): Promise<Figures> {
  const served = await fleet.createApp();
  const throttled = await fleet.createApp({ hmsAppId: THROTTLED_VENDOR_APP });
  progress(`registering ${size} installations for each of two apps`);
  await fleet.register(served, size);
  await fleet.register(throttled, size);
  progress('warming up');
  for (let i = 0; i < WARM_UP_PUSHES; i += 1) await secondsOf(fleet, served);
  progress('baseline: one app alone');
  const alone = await medianOf(() => secondsOf(fleet, served));
  progress('the same beside an app that its vendor throttles');
  await fleet.fault({ kind: 'throttled', path: `/v1/${THROTTLED_VENDOR_APP}/` });
  const beside = await medianOf(async () => {
    await fleet.push(throttled, { data: { alert: 'Hello' } });
    return secondsOf(fleet, served);
  });
  return {
    ratio: alone / beside,
    value: beside,
    baseline: alone,
    config: { devicesPerApp: size, rounds: ROUNDS, warmUpPushes: WARM_UP_PUSHES, workers: 1 },
  };
}

export const fairness: Benchmark = {
  name: 'fairness',
  measures: 'seconds of a push beside an app on the same channel that its vendor throttles; ratio = alone / beside',
  mustReach: 0.83,
  goal: 0.95,
  unit: 's',
  workers: ['hms'],
  run,
};
