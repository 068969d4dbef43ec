import { arrivalTimes } from './arrival';
import type { BenchFleet } from './bench-fleet';
import { percentile, type Benchmark, type BenchOptions, type Figures } from './benchmark';

/** The most by which a campaign may delay an addressed push. */
const TARGET_MS = 100;

async function run(fleet: BenchFleet, { size = 500_000, progress }: BenchOptions): Promise<Figures> {
  const app = await fleet.createApp();
  progress(`registering ${size} installations`);
  const objectIds = (await fleet.register(app, size)).slice(0, 100);
  progress('warming up');
  await arrivalTimes(fleet, app, { objectIds, count: 500, everyMs: 2 });
  for (let i = 0; i < 2; i += 1) await fleet.done(app, await fleet.push(app, { data: { alert: 'warm-up' } }));
  progress('baseline: addressed pushes alone');
  const alone = await arrivalTimes(fleet, app, { objectIds, count: 20, everyMs: 50 });
  await fleet.resetTraffic();
  progress('addressed pushes during campaigns');
  const times: number[] = [];
  while (times.length < 20) {
    const campaign = await fleet.push(app, { data: { alert: 'campaign' } });
    times.push(...(await arrivalTimes(fleet, app, { objectIds, count: 5, everyMs: 60 })));
    await fleet.done(app, campaign);
  }
  const value = percentile(
    times.sort((a, b) => a - b),
    0.5,
  );
  return {
    ratio: TARGET_MS / value,
    value,
    baseline: percentile(alone, 0.5),
    config: { campaignDevices: size, pushes: times.length, workers: 1 },
    details: { p90: percentile(times, 0.9), max: percentile(times, 1) },
  };
}

export const priority: Benchmark = {
  name: 'priority',
  measures:
    'ms to the vendor call of an addressed push while a campaign runs on the same channel; ratio = 100 ms / p50',
  mustReach: 1,
  goal: 3,
  unit: 'ms (p50)',
  workers: ['hms'],
  run,
};
