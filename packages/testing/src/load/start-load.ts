import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import type { LoadPlan, LoadReport } from './load-plan';

const PROGRAM = join(__dirname, '../../dist/load/load-process.js');

/** A load that waits for its beginning. */
export interface Load {
  /** Resolves with what was answered, when all of it is done. */
  run(): Promise<LoadReport>;
}

/**
 * A load in a process of its own with the least priority. On a machine of few processors the work of sending would
 * otherwise be taken for the work that it causes.
 */
export async function prepareLoad(plan: LoadPlan): Promise<Load> {
  const child = fork(PROGRAM, [], { env: { PATH: process.env['PATH'] ?? '' } });
  const failed = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the load ended with ${String(code)}`)));
  failed.catch(() => undefined);
  setPriority(child.pid ?? 0, constants.priority.PRIORITY_LOW);
  const answer = async (message: LoadPlan | 'begin'): Promise<unknown> => {
    child.send(message);
    const [said] = (await Promise.race([once(child, 'message'), failed])) as unknown[];
    return said;
  };
  await answer(plan);
  return { run: async () => (await answer('begin')) as LoadReport };
}
