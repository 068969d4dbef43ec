import { appendFileSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { STALL_FOLDER } from './stalls';

/**
 * Loaded into a process before its program. Between two rounds of the event loop the main thread shall not compute for
 * long: all who wait for an answer wait for that. What counts is time on a processor, so that a busy machine does not matter.
 */
const SHORT_MS = 20;
const EVERY_MS = 5;
const START_MS = 3000;

const folder = process.env[STALL_FOLDER];
if (folder !== undefined) watch(join(folder, String(process.pid)));

function watch(file: string): void {
  const ran = processorMs();
  let before = ran();
  setInterval(() => {
    const now = ran();
    if (now - before > SHORT_MS && performance.now() > START_MS) appendFileSync(file, `${(now - before).toFixed(0)}\n`);
    before = now;
  }, EVERY_MS).unref();
}

/** Of the main thread where the system tells it, else of all threads. */
function processorMs(): () => number {
  if (process.platform !== 'linux') {
    return () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    };
  }
  const file = openSync('/proc/self/schedstat', 'r');
  const bytes = Buffer.alloc(64);
  return () => Number(bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0)).split(' ', 1)[0]) / 1e6;
}
