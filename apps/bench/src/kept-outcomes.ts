import type { BenchApp, BenchFleet } from './bench-fleet';
import { medianOf, type Benchmark, type BenchOptions, type Figures } from './benchmark';
import { pushToAll } from './fanout';
import { bytesOfOutcomes } from './outcomes';
import { usageOf } from './usage';

const TURNS = 8;
/** Settings of a worker that keeps outcomes and of one that does not. */
const KEEPS = { on: {}, off: { OUTCOME_BYTES: '0' } } as const;
/** Of a worker that was just started: what it does first, and what it does once it is warm. */
const PUSHES = ['first', 'warm'] as const;

type Keeps = keyof typeof KEEPS;
type Push = (typeof PUSHES)[number];

interface Run {
  /** Devices a second. */
  readonly speed: number;
  /** Processor time for a device, in µs: of all processes, and of some. */
  readonly all: number;
  readonly worker: number;
  readonly redis: number;
}

type Turn = Readonly<Record<Push, Run>>;
type Turns = Readonly<Record<Keeps, Turn[]>>;

interface Campaign {
  readonly fleet: BenchFleet;
  readonly app: BenchApp;
  readonly size: number;
}

async function runOf({ fleet, app, size }: Campaign): Promise<Run> {
  let seconds = NaN;
  const { cpuUs, cpuUsOf } = await usageOf(fleet, size, async () => (seconds = await pushToAll(fleet, app)));
  const [worker = NaN, redis = NaN] = [cpuUsOf['worker-hms'], cpuUsOf['Redis']];
  return { speed: size / seconds, all: cpuUs, worker, redis };
}

/** The first push of a worker, and its third. */
async function turnOf(campaign: Campaign, keeps: Keeps): Promise<Turn> {
  const { fleet, app } = campaign;
  await fleet.processes.service('worker-hms').stop();
  await fleet.processes.runWorker('hms', KEEPS[keeps]);
  const first = await runOf(campaign);
  await pushToAll(fleet, app);
  return { first, warm: await runOf(campaign) };
}

async function run(fleet: BenchFleet, { size = 500_000, progress }: BenchOptions): Promise<Figures> {
  const app = await fleet.createApp();
  progress(`registering ${size} installations`);
  await fleet.register(app, size);
  const campaign = { fleet, app, size };
  const turns: Turns = { on: [], off: [] };
  await turnOf(campaign, 'off');
  for (let turn = 0; turn < TURNS; turn += 1) {
    // Either comes first as often as the other: the machine changes from minute to minute.
    for (const keeps of turn % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const))
      turns[keeps].push(await turnOf(campaign, keeps));
    progress(`turn ${turn + 1} of ${TURNS}: ${told(turns)}`);
  }
  return figuresOf(campaign, turns, await keptBytes(campaign));
}

const told = ({ on, off }: Turns): string =>
  PUSHES.map(
    (push) => `${push} ${[on, off].map((turns) => turns.at(-1)?.[push].all.toFixed(2)).join(' and ')} µs`,
  ).join(', ');

/** Bytes of Redis for the outcomes of one push, which a worker that keeps them sends. */
async function keptBytes({ fleet, app }: Campaign): Promise<number> {
  await fleet.processes.service('worker-hms').stop();
  await fleet.processes.runWorker('hms', KEEPS.on);
  const pushId = await fleet.push(app, { data: { alert: 'Hello' } });
  await fleet.done(app, pushId);
  return bytesOfOutcomes(fleet, pushId);
}

function figuresOf({ size }: Campaign, { on, off }: Turns, redisBytes: number): Figures {
  const median = (turns: readonly Turn[], push: Push, figure: keyof Run): number =>
    medianOf(turns.map((turn) => turn[push][figure]));
  const ratioOf = (push: Push, figure: keyof Run): number =>
    medianOf(on.map((turn, i) => turn[push][figure] / (off[i]?.[push][figure] ?? NaN)));
  const detailsOf = (push: Push, figure: keyof Run, words: string): readonly (readonly [string, number])[] => [
    [`${push}, ${words}: on`, median(on, push, figure)],
    [`${push}, ${words}: off`, median(off, push, figure)],
    [`${push}, ${words}: on ÷ off`, ratioOf(push, figure)],
  ];
  const details = PUSHES.flatMap((push) => [
    ...detailsOf(push, 'speed', 'devices/s'),
    ...detailsOf(push, 'all', 'CPU µs a device, Redis included'),
    ...detailsOf(push, 'worker', 'CPU µs a device of worker-hms'),
    ...detailsOf(push, 'redis', 'CPU µs a device of Redis'),
  ]);
  return {
    ratio: Math.min(ratioOf('first', 'speed'), ratioOf('warm', 'speed')),
    value: median(on, 'first', 'speed'),
    baseline: median(off, 'first', 'speed'),
    config: { devices: size, turns: TURNS, workers: 1 },
    details: { ...Object.fromEntries(details), redisBytesPerDevice: redisBytes / size },
  };
}

export const keptOutcomes: Benchmark = {
  name: 'kept-outcomes',
  measures:
    'devices/s of the first push of a worker that keeps outcomes, in turns with one that keeps none; ratio = the lesser of first and warm pushes',
  mustReach: 0.95,
  goal: 1,
  unit: 'devices/s',
  workers: ['hms'],
  run,
};
