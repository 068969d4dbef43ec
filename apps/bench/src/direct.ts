import { until } from '@pushfleet/testing';
import { request } from 'undici';
import { openBenchFleet, REDIS_CONFIG } from './bench-fleet';
import { timed, type Benchmark, type BenchOptions, type Result } from './benchmark';
import { openBareVendor, readyBody } from './simulated-vendor';

const CONNECTIONS = 64;
const DEVICES = 1000;

async function run({ size = 20_000, progress }: BenchOptions): Promise<Result> {
  const fleet = await openBenchFleet(['hms']);
  try {
    const app = await fleet.createApp();
    progress(`registering ${DEVICES} installations`);
    const installations = await fleet.register(app, DEVICES);
    const url = `${fleet.processes.url('ingress')}/1.1/push`;
    const headers = { 'content-type': 'application/json', 'x-lc-id': app.id, 'x-lc-key': app.key };
    const post = async (i: number): Promise<void> => {
      const where = { objectId: installations[i % DEVICES] };
      const body = JSON.stringify({ where, data: { alert: `Your code is ${100_000 + i}`, order: i } });
      const answer = await request(url, { method: 'POST', headers, body, dispatcher: fleet.http });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${text}`);
    };
    const sendAll = async (count: number): Promise<number> => {
      await fleet.resetTraffic();
      const startedAt = performance.now();
      await timed(count, CONNECTIONS, post);
      await until(async () => (await fleet.traffic('hms')).devices >= count, { timeoutMs: 300_000, everyMs: 20 });
      return (performance.now() - startedAt) / 1000;
    };
    progress('warming up');
    await sendAll(Math.min(size, 2000));
    progress('baseline: ready-made single-device bodies');
    const vendor = await openBareVendor(fleet.processes.url('simulator'), fleet.http);
    const bodies = Array.from({ length: 500 }, () => readyBody(1));
    const baseline = size / (await timed(size, CONNECTIONS, (i) => vendor.send(bodies[i % bodies.length] ?? '')));
    progress(`${size} pushes with a text of their own`);
    const value = size / (await sendAll(size));
    return {
      name: 'direct',
      ratio: value / baseline,
      value,
      unit: 'pushes/s',
      baseline,
      config: {
        pushes: size,
        connections: CONNECTIONS,
        processes: 'ingress 1, dispatcher 1, worker 1',
        redis: REDIS_CONFIG,
      },
    };
  } finally {
    await fleet.stop();
  }
}

export const direct: Benchmark = {
  name: 'direct',
  measures: 'pushes/s of different texts to one device each, from accept to vendor call, against bare vendor calls',
  mustReach: 0.15,
  goal: 0.4,
  run,
};
