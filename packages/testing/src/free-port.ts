import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give out by themselves: nobody comes by one of these between its choice and its use. */
const FIRST = 10_000;
const COUNT = 10_000;
/** Processes that choose at the same time begin at different places. */
const STEP = 61;

let next = (process.pid * STEP) % COUNT;

/** A port of this machine for a process that cannot take any, or for one that has to come back to its own. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < COUNT; tries += 1) {
    const port = FIRST + next;
    next = (next + 1) % COUNT;
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${FIRST} on is free`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
