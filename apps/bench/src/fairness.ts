import { request } from 'undici';
import { openBenchFleet, REDIS_CONFIG, type BenchApp, type BenchFleet } from './bench-fleet';
import type { Benchmark, BenchOptions, Result } from './benchmark';

const THROTTLED_VENDOR_APP = '200';

async function secondsOf(fleet: BenchFleet, app: BenchApp): Promise<number> {
  const record = await fleet.done(app, await fleet.push(app, { data: { alert: 'Hello' } }));
  return (Date.parse(record.updatedAt) - Date.parse(record.createdAt)) / 1000;
}

async function run({ size = 200_000, progress }: BenchOptions): Promise<Result> {
  const fleet = await openBenchFleet(['hms']);
  try {
    const served = await fleet.createApp();
    const throttled = await fleet.createApp({ hmsAppId: THROTTLED_VENDOR_APP });
    progress(`registering ${size} installations for each of two apps`);
    await fleet.register(served, size);
    await fleet.register(throttled, size);
    await secondsOf(fleet, served);
    progress('baseline: one app alone');
    const alone = ((await secondsOf(fleet, served)) + (await secondsOf(fleet, served))) / 2;
    progress('the same beside an app that its vendor throttles');
    await request(`${fleet.processes.url('simulator')}/_simulator/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ channel: 'hms', kind: 'throttled', path: `/v1/${THROTTLED_VENDOR_APP}/` }),
      dispatcher: fleet.http,
    }).then(({ body }) => body.dump());
    await fleet.push(throttled, { data: { alert: 'Hello' } });
    const beside = ((await secondsOf(fleet, served)) + (await secondsOf(fleet, served))) / 2;
    return {
      name: 'fairness',
      ratio: alone / beside,
      value: beside,
      unit: 's',
      baseline: alone,
      config: { devicesPerApp: size, workers: 1, redis: REDIS_CONFIG },
    };
  } finally {
    await fleet.stop();
  }
}

export const fairness: Benchmark = {
  name: 'fairness',
  measures: 'seconds of a push beside an app on the same channel that its vendor throttles; ratio = alone / beside',
  mustReach: 0.83,
  goal: 0.95,
  run,
};
