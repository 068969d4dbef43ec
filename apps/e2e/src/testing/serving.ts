import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const PUSHFLEET = join(__dirname, '../../../cli/bin/pushfleet.cjs');
export const PATH = process.env['PATH'] ?? '';
/** Of all doors. */
export const FREE_PORTS = { INGRESS_PORT: '0', GATEWAY_PORT: '0', CONSOLE_PORT: '0', USER_INFO_PORT: '0' };

type Env = Readonly<Record<string, string>>;

/** What `pushfleet serve` told when it served. */
interface Told {
  readonly ok: boolean;
  readonly pid: number;
  readonly urls: Readonly<Record<string, string>>;
}

export interface Serving {
  readonly told: Told;
  /** Everything on its standard output. */
  readonly lines: readonly string[];
  /** Resolves with the exit code, null after a signal. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts `pushfleet serve --json`; resolves when every role serves. */
export async function serve(args: readonly string[], env: Env, program = PUSHFLEET): Promise<Serving> {
  const child = spawn(process.execPath, [program, 'serve', '--json', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const left = once(child, 'close') as Promise<[number | null]>;
  const lines: string[] = [];
  let log = '';
  child.stderr.on('data', (chunk) => (log = (log + String(chunk)).slice(-10_000)));
  const output = createInterface({ input: child.stdout });
  output.on('line', (line) => lines.push(line));
  await Promise.race([once(output, 'line'), left]);
  if (lines[0] === undefined) throw new Error(`pushfleet serve did not start: ${log}`);
  return {
    told: JSON.parse(lines[0]) as Told,
    lines,
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return (await left)[0];
    },
  };
}

/** Longer than any start that fails takes. */
const ENDS_WITHIN_MS = 60_000;

/** Runs `pushfleet serve` to its end; one that spins hears no other signal than the last. */
export const runServe = (args: readonly string[], { env, cwd }: { readonly env: Env; readonly cwd?: string }) =>
  spawnSync(process.execPath, [PUSHFLEET, 'serve', ...args], {
    ...{ encoding: 'utf8', env, cwd },
    ...{ timeout: ENDS_WITHIN_MS, killSignal: 'SIGKILL' },
  });
