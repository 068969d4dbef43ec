import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { arrivalTimes } from './arrival';
import { residentMb, type BenchApp, type BenchFleet } from './bench-fleet';
import { percentile, type Benchmark, type BenchOptions, type Figures } from './benchmark';

/** An addressed push may take twice as long while others look at what became of millions. */
const ALLOWED = 2;
const WATCH_EVERY_MS = 50;
const POLL_MS = 100;
/** Every device is read for it. */
const AUDIENCE = { createdAt: { $gt: { __type: 'Date', iso: '2000-01-01T00:00:00.000Z' } } };

const asServer = ({ id, masterKey }: BenchApp) => ({ 'x-lc-id': id, 'x-lc-key': `${masterKey},master` });

interface LastLine {
  readonly complete: boolean;
  readonly devices: number;
}

/** Reads the stream as fast as it comes; resolves with its last line. */
async function readStream({ processes, http }: BenchFleet, app: BenchApp, pushId: string): Promise<LastLine> {
  const url = `${processes.url('ingress')}/1.1/notifications/${pushId}/devices`;
  const headers = { ...asServer(app), accept: 'application/x-ndjson' };
  const { body } = await request(url, { headers, dispatcher: http });
  let end = '';
  for await (const piece of body) end = (end + String(piece)).slice(-1000);
  return JSON.parse(end.trimEnd().split('\n').at(-1) ?? '') as LastLine;
}

/** Plans a push to everybody by looking at everybody; resolves with the number of devices. */
async function preflight({ processes, http }: BenchFleet, app: BenchApp): Promise<number> {
  const ask = async (method: 'GET' | 'POST', path: string, body?: string) => {
    const headers = { ...asServer(app), 'content-type': 'application/json' };
    const answer = await request(`${processes.url('ingress')}${path}`, {
      ...{ method, headers, dispatcher: http },
      ...(body === undefined ? {} : { body }),
    });
    return (await answer.body.json()) as { readonly path?: string; readonly devices?: number };
  };
  const push = JSON.stringify({ where: AUDIENCE, data: { alert: 'Hello' } });
  let told = await ask('POST', '/1.1/push/preflight?exact=1', push);
  while (told.path !== undefined) {
    await delay(POLL_MS);
    told = await ask('GET', told.path);
  }
  return told.devices ?? NaN;
}

interface Beside<T> {
  readonly result: T;
  readonly seconds: number;
  /** Of addressed pushes meanwhile, sorted. */
  readonly times: readonly number[];
  /** The most that the ingress took meanwhile. */
  readonly ingressMb: number;
}

/** Posts addressed pushes for as long as some work takes. */
async function beside<T>(
  fleet: BenchFleet,
  post: () => Promise<readonly number[]>,
  work: Promise<T>,
): Promise<Beside<T>> {
  const { pid } = fleet.processes.service('ingress');
  const startedAt = performance.now();
  let [ingressMb, seconds]: [number, number | undefined] = [0, undefined];
  const watch = setInterval(() => (ingressMb = Math.max(ingressMb, residentMb(pid))), WATCH_EVERY_MS);
  const isDone = work.finally(() => (seconds = (performance.now() - startedAt) / 1000));
  const times: number[] = [];
  try {
    while (seconds === undefined) times.push(...(await post()));
    return { result: await isDone, seconds, times: times.sort((a, b) => a - b), ingressMb };
  } finally {
    clearInterval(watch);
  }
}

async function bytesOf({ redis }: BenchFleet, pushId: string): Promise<number> {
  const nodes = 'nodes' in redis ? redis.nodes('master') : [redis];
  for (const node of nodes)
    for await (const keys of node.scanStream({ match: `*:${pushId}:outcomes`, count: 1000 }))
      for (const key of keys as string[]) return Number(await node.memory('USAGE', key, 'SAMPLES', 0));
  throw new Error(`push ${pushId} has no outcomes`);
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
  progress('baseline: addressed pushes alone');
  const alone = await beside(fleet, () => post(20), Promise.resolve());
  progress('beside a stream of its outcomes');
  const stream = await beside(fleet, post, readStream(fleet, app, pushId));
  if (!stream.result.complete || stream.result.devices !== size)
    throw new Error(`the stream of ${size} devices ended with ${JSON.stringify(stream.result)}`);
  progress('beside a pre-flight that looks at everybody');
  const walk = await beside(fleet, post, preflight(fleet, app));
  if (walk.result !== size) throw new Error(`${walk.result} of ${size} devices were foreseen`);
  const [value, baseline] = [
    percentile(
      [...stream.times, ...walk.times].sort((a, b) => a - b),
      0.5,
    ),
    percentile(alone.times, 0.5),
  ];
  return {
    ...{ ratio: (ALLOWED * baseline) / value, value, baseline },
    config: { devices: size, ingresses: 1, dispatchers: 1, workers: 1 },
    details: {
      ...{ streamSeconds: stream.seconds, streamMedianMs: percentile(stream.times, 0.5) },
      ...{ preflightSeconds: walk.seconds, preflightMedianMs: percentile(walk.times, 0.5) },
      ...{ ingressMb: alone.ingressMb, ingressMbStream: stream.ingressMb, ingressMbPreflight: walk.ingressMb },
      redisBytesPerDevice: (await bytesOf(fleet, pushId)) / size,
    },
  };
}

export const outcomes: Benchmark = {
  name: 'outcomes',
  measures:
    'ms to the vendor call of an addressed push beside a stream of outcomes and an exact pre-flight; ratio = twice the time alone',
  mustReach: 1,
  goal: 1.5,
  unit: 'ms (p50)',
  workers: ['hms'],
  run,
};
