import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const APPS = join(__dirname, '../../..');

export interface ForkedApp {
  readonly child: ChildProcess;
  /** All that it wrote. */
  output(): string;
  /** Resolves when it has left and all that it wrote has come. */
  readonly left: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

/** Starts a built process and does not wait for it to be ready. */
export function forkApp(
  app: string,
  env: Readonly<Record<string, string>>,
  execArgv: readonly string[] = [],
): ForkedApp {
  const child = fork(join(APPS, app, 'dist/main.js'), [], {
    execArgv: [...execArgv],
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += String(chunk)));
  const left = once(child, 'close').then(([code, signal]: (number | string | null)[]) => ({
    code: code as number | null,
    signal: signal as string | null,
  }));
  return { child, output: () => output, left };
}
