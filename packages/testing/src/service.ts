import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');

/** One process of the fleet, built, as an operator would run it. */
export interface Service {
  readonly pid: number;
  /** By name, as the process announced them. */
  readonly urls: Readonly<Record<string, string>>;
  /** Resolves with the exit code, null after a signal. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  isRunning(): boolean;
  /** The end of what it wrote. */
  output(): string;
}

/** Starts `apps/<app>` and resolves when it says that it is ready. */
export async function startService(app: string, env: Readonly<Record<string, string>>): Promise<Service> {
  const child = fork(join(ROOT, 'apps', app, 'dist/main.js'), [], {
    env: { PATH: process.env['PATH'] ?? '', METRICS_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-20_000)));
  }
  const urls = await readyUrls(child).catch((error: unknown) => {
    throw new Error(`${app} did not start: ${String(error)}\n${output}`);
  });
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  return {
    pid: child.pid ?? 0,
    urls,
    isRunning,
    output: () => output,
    async stop(signal = 'SIGTERM') {
      if (isRunning()) {
        child.kill(signal);
        await once(child, 'exit');
      }
      return child.exitCode;
    },
  };
}

async function readyUrls(child: ChildProcess): Promise<Readonly<Record<string, string>>> {
  // `close` comes after the last of its output.
  const failed = once(child, 'close').then(([code]) => Promise.reject(new Error(`exit ${String(code)}`)));
  for (;;) {
    const [message] = (await Promise.race([once(child, 'message'), failed])) as [
      { ready?: boolean; urls?: Record<string, string> },
    ];
    if (message.ready === true) return message.urls ?? {};
  }
}
