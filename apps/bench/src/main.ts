import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openBenchFleet, REDIS_CONFIG, VENDOR_ORIGINS, type BenchFleet } from './bench-fleet';
import { requireFigures, type Benchmark, type BenchOptions, type Figures } from './benchmark';
import { burstBeside } from './burst';
import { channel } from './channel';
import { column } from './column';
import { compact } from './compact';
import { direct } from './direct';
import { startTraceSink } from './echo-process';
import { fairness } from './fairness';
import { fanout } from './fanout';
import { gateway } from './gateway';
import { importing } from './import';
import { ingress } from './ingress';
import { untilInterrupted } from './interruption';
import { keptOutcomes } from './kept-outcomes';
import { latency } from './latency';
import { offline } from './offline';
import { oneDevice } from './one-device';
import { outcomes } from './outcomes';
import { pages } from './pages';
import { priority } from './priority';
import { saves } from './saves';
import { slowVendor } from './slow-vendor';
import { userInfo } from './user-info';
import { wave } from './wave';

const benchmarks: readonly Benchmark[] = [
  ingress,
  saves,
  fanout,
  slowVendor,
  oneDevice,
  direct,
  channel,
  column,
  burstBeside,
  latency,
  priority,
  offline,
  fairness,
  gateway,
  importing,
  outcomes,
  keptOutcomes,
  pages,
  compact,
  userInfo,
  wave,
];

const USAGE = `npm run bench -- NAME [--size N] [--set NAME=VALUE] [--tracing] [--json]

${benchmarks.map(({ name, measures }) => `  ${name.padEnd(13)} ${measures}`).join('\n')}

For a CPU profile of every process: node --cpu-prof --cpu-prof-dir=DIR apps/bench/dist/main.js NAME
With --set every process of the fleet has that variable; it may be given several times.
With --tracing every process writes all its traces to a receiver that forgets them.
Each measures a bare baseline in the same run; ratio is better when larger.
`;

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      size: { type: 'string' },
      set: { type: 'string', multiple: true, default: [] },
      tracing: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const benchmark = benchmarks.find(({ name }) => name === positionals[0]);
  if (values.help || !benchmark || positionals.length > 1) {
    process.stderr.write(USAGE);
    return values.help ? 0 : 2;
  }
  const progress = (line: string): void => void process.stderr.write(`${line}\n`);
  const size = sizeOf(values.size, benchmark);
  const set = settingsOf(values.set, benchmark);
  const sink = values.tracing ? await startTraceSink() : undefined;
  const env = { ...set, ...(sink ? { OTEL_EXPORTER_OTLP_ENDPOINT: sink.url } : {}) };
  const measured = await measure(benchmark, { size, progress, env: { ...env, ...benchmark.settings } }).finally(() =>
    sink?.stop(),
  );
  const tracing = values.tracing ? 'on' : 'off';
  const config = { ...measured.config, ...set, redis: REDIS_CONFIG, limits: 'off', budgets: 'off', tracing };
  requireFigures(measured);
  const result: Result = { name: benchmark.name, unit: benchmark.unit, ...measured, config };
  process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : describe(result, benchmark));
  return 0;
}

/** More devices than anybody has measured with are a slip of the hand. */
const MAX_SIZE = 2_000_000;

function sizeOf(text: string | undefined, { name, sizes }: Benchmark): number | undefined {
  if (text === undefined) return undefined;
  const { least = 1, most = MAX_SIZE } = sizes ?? {};
  const size = Number(text);
  if (/^\d+$/.test(text) && size >= least && size <= most) return size;
  throw new Error(`--size: must be a whole number from ${least} to ${most} for ${name}`);
}

/** The variables that are given; one that the benchmark decides itself would be told in the result, and not be in force. */
function settingsOf(given: readonly string[], { name, settings = {} }: Benchmark): Readonly<Record<string, string>> {
  const own = new Set(['REDIS_URL', ...VENDOR_ORIGINS, ...Object.keys(settings)]);
  const set = given.map(settingOf);
  for (const [variable] of set) if (own.has(variable)) throw new Error(`--set: ${name} decides ${variable} itself`);
  return Object.fromEntries(set);
}

function settingOf(text: string): readonly [name: string, value: string] {
  const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new Error(`--set: must be NAME=VALUE, not ${text}`);
  return [name, value];
}

interface Order {
  readonly size: number | undefined;
  /** Of every process. */
  readonly env: Readonly<Record<string, string>>;
  progress(line: string): void;
}

/** Most time for what a benchmark itself started to end, once its fleet is gone. */
const END_MS = 5000;

/** Whatever happens, an interruption too, nothing of it stays. */
async function measure({ run, workers }: Benchmark, { size, env, progress }: Order): Promise<Figures> {
  const { interrupted, signal } = untilInterrupted();
  const fleets: BenchFleet[] = [];
  const openFleet: BenchOptions['openFleet'] = async (channels, shape) => {
    const fleet = await openBenchFleet(channels, env, shape);
    fleets.push(fleet);
    return fleet;
  };
  const running = openFleet(workers, 'separate').then((fleet) => run(fleet, { size, openFleet, signal, progress }));
  try {
    return await Promise.race([running, interrupted]);
  } finally {
    await Promise.all(fleets.map((fleet) => fleet.stop()));
    await Promise.race([Promise.allSettled([running]), delay(END_MS)]);
  }
}

type Result = Figures & Pick<Benchmark, 'name' | 'unit'>;

function describe(result: Result, { mustReach, goal }: Benchmark): string {
  const table = (entries: Readonly<Record<string, unknown>>): string =>
    Object.entries(entries)
      .map(([key, value]) => `  ${key}: ${typeof value === 'number' ? round(value) : String(value)}`)
      .join('\n');
  return [
    `${result.name}: ${round(result.value)} ${result.unit}, baseline ${round(result.baseline)}, ratio ${round(result.ratio)} (must reach ${mustReach}, goal ${goal})`,
    table({ ...result.config, ...result.details }),
    '',
  ].join('\n');
}

const round = (value: number): number => (Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3)));

// A wait that never ends would otherwise end the process as if all were well.
process.once('beforeExit', () => {
  process.stderr.write('the benchmark came to an end without a figure\n');
  process.exit(1);
});

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
