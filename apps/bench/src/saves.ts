import { anInstallation, cpuSeconds, type BenchApp, type BenchFleet } from './bench-fleet';
import { medianOf, type Benchmark, type BenchOptions, type Figures } from './benchmark';
import { startEcho } from './echo-process';
import { CONNECTIONS, timedPosts, type PostTarget } from './timed-posts';

/** Each turn is short and compared by itself, so that a machine that becomes slower slows all that is compared. */
const TURNS = 9;

/** What so many devices send at every start of the app. */
const bodiesOf = (count: number): readonly string[] =>
  Array.from({ length: count }, () => {
    const { createdAt: _, updatedAt: __, ...body } = anInstallation().doc;
    return JSON.stringify(body);
  });

function saveTarget({ processes, http }: BenchFleet, { id, key }: BenchApp): PostTarget {
  const headers = { 'x-lc-id': id, 'x-lc-key': key };
  return { url: `${processes.url('ingress')}/1.1/installations`, headers, status: 201, http };
}

async function run(fleet: BenchFleet, { size = 18_000, progress }: BenchOptions): Promise<Figures> {
  const echo = await startEcho();
  try {
    const save = saveTarget(fleet, await fleet.createApp());
    const bare = { url: `${echo.url}/echo`, headers: {}, status: 200, http: fleet.http };
    const perTurn = Math.ceil(size / TURNS);
    progress('warming up');
    const known = bodiesOf(perTurn);
    for (const target of [save, bare, save, bare]) await timedPosts(known, target);
    progress('first saves, refreshes of the same devices and the baseline, in turns');
    const { pid = 0 } = fleet.processes.service('ingress');
    const turns: { readonly first: number; readonly refresh: number; readonly echo: number; readonly cpuUs: number }[] =
      [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const bodies = bodiesOf(perTurn);
      const first = await timedPosts(bodies, save);
      const before = cpuSeconds(pid);
      const refresh = await timedPosts(bodies, save);
      const cpuUs = ((cpuSeconds(pid) - before) * 1e6) / perTurn;
      turns.push({ first, refresh, echo: await timedPosts(bodies, bare), cpuUs });
    }
    return {
      ratio: medianOf(turns.map(({ refresh, echo: baseline }) => refresh / baseline)),
      value: medianOf(turns.map(({ refresh }) => refresh)),
      baseline: medianOf(turns.map((one) => one.echo)),
      config: { devices: size, ingressProcesses: 1, connections: CONNECTIONS, bodyBytes: known[0]?.length ?? 0 },
      details: {
        firstSavesPerSecond: medianOf(turns.map(({ first }) => first)),
        firstToEcho: medianOf(turns.map((one) => one.first / one.echo)),
        ingressCpuUsPerRefresh: medianOf(turns.map(({ cpuUs }) => cpuUs)),
      },
    };
  } finally {
    echo.stop();
  }
}

export const saves: Benchmark = {
  name: 'saves',
  measures: 'refreshes/s of unchanged devices by POST /1.1/installations, one ingress process, against an Express echo',
  mustReach: 0.4,
  goal: 0.7,
  unit: 'refreshes/s',
  workers: [],
  run,
};
