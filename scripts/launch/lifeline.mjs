import { setMaxListeners } from 'node:events';
import { say } from './progress.mjs';

// A terminal signals the whole group and npm passes the signal on: one Ctrl-C arrives twice within moments.
const ECHO_MS = 500;

/** Why a step ended early: somebody asked to stop. */
export class Stopped extends Error {
  name = 'Stopped';
}

/**
 * Knows everything that was opened. The first signal aborts `signal`, so that whatever is under way ends and the caller
 * closes; the second kills.
 */
export function openLifeline() {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const open = [];
  let firstSignalAt;

  const kill = () => {
    for (const { kill: killIt } of open.splice(0).reverse()) killIt();
    say('Killed.');
    process.exit(1);
  };
  const onSignal = (name) => {
    if (firstSignalAt === undefined) {
      firstSignalAt = Date.now();
      say('\nStopping');
      stopping.abort(new Stopped(name));
    } else if (Date.now() - firstSignalAt > ECHO_MS) {
      kill();
    }
  };
  for (const name of ['SIGINT', 'SIGTERM']) process.on(name, onSignal);

  return {
    signal: stopping.signal,
    /** Registers something with `close()` and `kill()`; the returned function forgets it. */
    hold(resource) {
      open.push(resource);
      return () => {
        const at = open.indexOf(resource);
        if (at >= 0) open.splice(at, 1);
      };
    },
    /** Resolves at the first signal. */
    stopped: () =>
      new Promise((resolve) => {
        // The timer keeps the process alive while it has nothing to do but to wait.
        const alive = setInterval(() => undefined, 60_000);
        const done = () => resolve(clearInterval(alive));
        if (stopping.signal.aborted) done();
        else stopping.signal.addEventListener('abort', done, { once: true });
      }),
    /** Closes everything, what was opened last first. */
    async close() {
      while (open.length > 0) {
        const resource = open.at(-1);
        await resource.close();
        if (open.at(-1) === resource) open.pop();
      }
    },
  };
}
