import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@pushfleet/testing';
import { ROOT } from './document-examples';

const START = join(ROOT, 'scripts/start.mjs');
const PORTS = ['INGRESS_PORT', 'CONSOLE_PORT', 'SIMULATOR_PORT', 'USER_INFO_PORT', 'GATEWAY_PORT'];

const changedAt = (path: string): number => statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

export function requireInstalled(): void {
  if (changedAt('node_modules/.package-lock.json') < changedAt('package-lock.json'))
    throw new Error('npm start would install the dependencies again beneath this test: run npm ci first');
}

/** As `npm start` runs it, on free ports; `stop` is a Ctrl-C. */
export function npmStart(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [START, ...args], {
    cwd: ROOT,
    env: {
      ...{ PATH: process.env['PATH'], HOME: process.env['HOME'] },
      ...Object.fromEntries(PORTS.map((name) => [name, '0'])),
      ...env,
    },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => (err += String(chunk)));
  const left = once(child, 'close').then(([code]) => ({ code: code as number | null, out, err }));
  const stop = () => {
    child.kill('SIGINT');
    return left;
  };
  /** What it has written when its addresses and commands stand there. */
  const started = () => {
    const shown = until(() => out.includes('npx pushfleet pushes list'), { timeoutMs: 200_000, everyMs: 100 });
    const ended = left.then(({ code }) => Promise.reject(new Error(`npm start ended with ${code}: ${err}`)));
    return Promise.race([shown, ended]).then(() => ({ out, err }));
  };
  return { left, stop, started };
}
