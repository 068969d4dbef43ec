import type { ChildProcess } from 'node:child_process';

/** Ends a child that would outlive this process: one without a channel to it hears nothing of its end. */
export function endWithProcess(child: ChildProcess): void {
  const end = (): void => void child.kill();
  process.once('exit', end);
  child.once('exit', () => process.removeListener('exit', end));
}
