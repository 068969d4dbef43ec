import { arrivalTimes } from './arrival';
import { residentMb, type BenchFleet } from './bench-fleet';
import { percentile, type Benchmark, type BenchOptions, type Figures } from './benchmark';
import { preflight, readByCommand, readStream, type Reader } from './outcome-readers';

/** An addressed push may take twice as long while others look at what became of millions. */
const ALLOWED = 2;
const WATCH_EVERY_MS = 50;
const ALONE = 60;

interface Beside {
  readonly seconds: number;
  /** Of addressed pushes meanwhile, sorted. */
  readonly times: readonly number[];
  /** The most that each process took meanwhile. */
  readonly peakMb: Readonly<Record<string, number>>;
}

interface Work {
  readonly processes: Readonly<Record<string, Reader['pid']>>;
  /** Told of, or foreseen. */
  readonly devices: Promise<number>;
}

/** Posts addressed pushes for as long as some work takes, which must be about `size` devices. */
async function beside(post: () => Promise<readonly number[]>, work: Work, size: number): Promise<Beside> {
  const startedAt = performance.now();
  let seconds: number | undefined;
  const peakMb: Record<string, number> = {};
  const look = (): void => {
    for (const [name, pidOf] of Object.entries(work.processes)) {
      const pid = pidOf();
      if (pid !== undefined) peakMb[name] = Math.max(peakMb[name] ?? 0, residentMb(pid));
    }
  };
  const watch = setInterval(look, WATCH_EVERY_MS);
  const isDone = work.devices.finally(() => (seconds = (performance.now() - startedAt) / 1000));
  const times: number[] = [];
  try {
    while (seconds === undefined) times.push(...(await post()));
    const devices = await isDone;
    if (devices !== size) throw new Error(`${devices} of ${size} devices`);
    return { seconds, times: times.sort((a, b) => a - b), peakMb };
  } finally {
    clearInterval(watch);
  }
}

/** Bytes of Redis that what became of the devices of a push takes. */
export async function bytesOfOutcomes({ redis }: BenchFleet, pushId: string): Promise<number> {
  const nodes = 'nodes' in redis ? redis.nodes('master') : [redis];
  for (const node of nodes)
    for await (const keys of node.scanStream({ match: `*:${pushId}:outcomes`, count: 1000 }))
      for (const key of keys as string[]) return Number(await node.memory('USAGE', key, 'SAMPLES', 0));
  throw new Error(`push ${pushId} has no outcomes`);
}

const median = (times: readonly number[]): number => percentile(times, 0.5);

function detailsOf(name: string, { times, peakMb }: Beside): Readonly<Record<string, number>> {
  const peaks = Object.entries(peakMb).map(([process, mb]) => [`${name}: MB of ${process}`, mb] as const);
  return {
    [`${name}: p50 ms`]: median(times),
    [`${name}: p90 ms`]: percentile(times, 0.9),
    ...Object.fromEntries(peaks),
  };
}

async function run(fleet: BenchFleet, { size = 200_000, progress }: BenchOptions): Promise<Figures> {
  const app = await fleet.createApp();
  progress(`registering ${size} installations`);
  const objectIds = (await fleet.register(app, size)).slice(0, 100);
  const post = (count = 5): Promise<readonly number[]> => arrivalTimes(fleet, app, { objectIds, count, everyMs: 60 });
  progress('warming up: addressed pushes, and the push whose outcomes are read');
  await arrivalTimes(fleet, app, { objectIds, count: 500, everyMs: 2 });
  const pushId = await fleet.push(app, { data: { alert: 'Hello' } });
  await fleet.done(app, pushId);
  const pidOf = (name: string) => () => fleet.processes.service(name).pid;
  const [ingress, dispatcher] = [pidOf('ingress'), pidOf('dispatcher')];
  progress('baseline: addressed pushes alone');
  const idle = { processes: { ingress, dispatcher }, devices: Promise.resolve(size) };
  const alone = await beside(() => post(ALONE), idle, size);
  progress('beside a stream of its outcomes');
  const stream = await beside(post, { processes: { ingress }, devices: readStream(fleet, app, pushId) }, size);
  progress('beside the command that reads them by pages');
  const reader = readByCommand(fleet, app, pushId);
  const command = await beside(post, { processes: { ingress, pushfleet: reader.pid }, devices: reader.devices }, size);
  progress('beside a pre-flight that looks at everybody');
  const walk = await beside(post, { processes: { ingress, dispatcher }, devices: preflight(fleet, app) }, size);
  const all = [stream, command, walk].flatMap(({ times }) => times).sort((a, b) => a - b);
  const [value, baseline] = [median(all), median(alone.times)];
  return {
    ratio: (ALLOWED * baseline) / value,
    value,
    baseline,
    config: { devices: size, ingresses: 1, dispatchers: 1, workers: 1 },
    details: {
      streamSeconds: stream.seconds,
      commandSeconds: command.seconds,
      preflightSeconds: walk.seconds,
      ...detailsOf('alone', alone),
      ...detailsOf('stream', stream),
      ...detailsOf('command', command),
      ...detailsOf('pre-flight', walk),
      redisBytesPerDevice: (await bytesOfOutcomes(fleet, pushId)) / size,
    },
  };
}

export const outcomes: Benchmark = {
  name: 'outcomes',
  measures:
    'ms to the vendor call of an addressed push beside outcomes of a campaign that are read and an exact pre-flight; ratio = twice the time alone',
  mustReach: 1,
  goal: 1.5,
  unit: 'ms (p50)',
  workers: ['hms'],
  run,
};
