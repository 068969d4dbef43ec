import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

/** Its input ends with the process that holds it open, in whatever way that ends. */
const WATCH = 'while read -r pid; do child=$pid; done; [ -z "$child" ] || kill -9 "$child"; [ -z "$1" ] || rm -rf "$1"';

/** Ends a child and removes its folder once this process has ended without doing so itself. */
export interface Watcher {
  /** The child from now on. */
  tell(child: ChildProcess): void;
  /** Nothing is left to be ended or removed. */
  close(): void;
}

/**
 * A process of its own: nobody is told of a SIGKILL, and a Ctrl-C at a run of tests ends it without a word. It has a session
 * of its own, so that the Ctrl-C is not for it.
 */
export function watchOver(folder = ''): Watcher {
  const watcher = spawn('/bin/sh', ['-c', WATCH, 'sh', folder], {
    ...{ env: { PATH: '/usr/bin:/bin' }, detached: true },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const stdin = watcher.stdin as Socket;
  // The last child may leave after it.
  stdin.on('error', () => undefined);
  // Nobody stays for it.
  watcher.unref();
  stdin.unref();
  const tell = (text: string): void => void stdin.write(`${text}\n`);
  return {
    tell(child) {
      tell(String(child.pid ?? ''));
      child.once('exit', () => tell(''));
    },
    close: () => void watcher.kill('SIGKILL'),
  };
}

/** Ends a child that would outlive this process: one without a channel to it hears nothing of its end. */
export function endWithProcess(child: ChildProcess): void {
  const watcher = watchOver();
  watcher.tell(child);
  child.once('exit', () => watcher.close());
}
