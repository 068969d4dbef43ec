import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

const CONSOLE_MAIN = resolve(__dirname, '../../../console/src/main.ts');

export interface RunningConsole {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the console as a process of its own, from its sources: the CLI knows it over HTTP only. */
export async function startConsole(env: Readonly<Record<string, string>>): Promise<RunningConsole> {
  const child = fork(CONSOLE_MAIN, {
    execArgv: ['--conditions=source', '--require', resolve(__dirname, 'run-typescript.cjs')],
    env: { PATH: process.env['PATH'], CONSOLE_PORT: '0', METRICS_PORT: '0', LOG_TO: 'stderr', ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let log = '';
  child.stderr?.on('data', (chunk) => (log += String(chunk)));
  const left = once(child, 'exit');
  const ready = once(child, 'message') as Promise<[{ urls: { console: string } }]>;
  const first = await Promise.race([ready, left.then(() => undefined)]);
  if (!first) throw new Error(`the console did not start:\n${log}`);
  return {
    url: first[0].urls.console,
    async stop() {
      child.kill('SIGTERM');
      const [code] = (await left) as [number | null];
      if (code !== 0) throw new Error(`the console left with ${code}:\n${log}`);
    },
  };
}
