import type { BenchFleet } from './bench-fleet';
import { type Benchmark, type BenchOptions, type Figures } from './benchmark';
import { startEcho } from './echo-process';
import { CONNECTIONS, timedPosts, type PostTarget } from './timed-posts';

async function run(fleet: BenchFleet, { size = 20_000, progress }: BenchOptions): Promise<Figures> {
  const echo = await startEcho();
  try {
    const app = await fleet.createApp();
    // Nobody dispatches: what is measured is the edge alone.
    await fleet.processes.service('dispatcher').stop();
    const body = JSON.stringify({ channels: ['news'], data: { alert: 'Hello, world', title: 'Title', order: 17 } });
    const credentials = { 'x-lc-id': app.id, 'x-lc-key': app.key };
    const { http } = fleet;
    const push = { url: `${fleet.processes.url('ingress')}/1.1/push`, headers: credentials, status: 200, http };
    const bare = { url: `${echo.url}/echo`, headers: {}, status: 200, http };
    const rate = (count: number, target: PostTarget): Promise<number> =>
      timedPosts(new Array<string>(count).fill(body), target);
    progress('warming up');
    await rate(Math.min(size, 5000), push);
    await rate(Math.min(size, 5000), bare);
    progress('baseline and pushes, twice in turn');
    const before = await rate(size, bare);
    const first = await rate(size, push);
    const after = await rate(size, bare);
    const second = await rate(size, push);
    const value = (first + second) / 2;
    const baseline = (before + after) / 2;
    return {
      ratio: value / baseline,
      value,
      baseline,
      config: {
        pushes: 2 * size,
        ingressProcesses: 1,
        connections: CONNECTIONS,
        bodyBytes: body.length,
      },
    };
  } finally {
    echo.stop();
  }
}

export const ingress: Benchmark = {
  name: 'ingress',
  measures: 'durable accepts/s of POST /1.1/push, one ingress process, against an Express echo of the same body',
  mustReach: 0.8,
  goal: 1,
  unit: 'durable accepts/s',
  workers: [],
  run,
};
