import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT } from './paths.mjs';
import { Problem } from './problem.mjs';
import { say } from './progress.mjs';
import { signalGroup } from './run-command.mjs';

const RESTART_AFTER_MS = 1000;
/** Longer than the deadline that a service gives itself. */
const STOP_WITHIN_MS = 35_000;

/** Starts processes that announce themselves over IPC, keeps them running and stops them. */
export function openServices({ logs, lifeline }) {
  return {
    /** Resolves with the addresses that the process announces. */
    async start(spec) {
      const [urls] = await this.startAll([spec]);
      return urls;
    },
    /** The same for several, which are stopped together too. */
    async startAll(specs) {
      const services = specs.map((spec) => openService(spec, { log: logs.open(spec.name), logs, lifeline }));
      lifeline.hold({
        close: () => Promise.all(services.map((service) => service.stop())),
        kill: () => services.forEach((service) => service.kill()),
      });
      const urls = await Promise.all(services.map((service) => service.start()));
      lifeline.signal.throwIfAborted();
      return urls;
    },
  };
}

function openService({ name, script, args = [], env }, { log, logs, lifeline }) {
  let child;
  let isStopping = false;

  const launch = async () => {
    // In a group of its own: a Ctrl-C must not reach it beside the launcher's own signal.
    const options = { cwd: ROOT, env, execArgv: [], detached: true, stdio: ['ignore', log, log, 'ipc'] };
    const launched = fork(script, args, options);
    child = launched;
    const urls = await announced(launched, lifeline.signal);
    launched.once('exit', (...how) => void restart(how));
    return urls;
  };

  const restart = async (how) => {
    while (!isStopping && !lifeline.signal.aborted) {
      say(`${name} left (${ending(how)}); starting it again. ${logs.hint(name)}`);
      await delay(RESTART_AFTER_MS, undefined, { signal: lifeline.signal }).catch(() => undefined);
      if (isStopping || lifeline.signal.aborted) return;
      const failure = await launch().then(
        () => undefined,
        (error) => error,
      );
      if (failure === undefined) return say(`${name} is back`);
      how = failure.how ?? [1, null];
    }
  };

  return {
    start: () =>
      launch().catch((error) => {
        if (!(error instanceof Left)) throw error;
        throw new Problem(`${name} did not start (${ending(error.how)}).\n${logs.tail(name)}`, { cause: error });
      }),
    async stop() {
      isStopping = true;
      if (!isRunning(child)) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      const late = setTimeout(() => {
        say(`${name} does not stop; killing it`);
        signalGroup(child.pid, 'SIGKILL');
      }, STOP_WITHIN_MS);
      await gone;
      clearTimeout(late);
    },
    kill: () => isRunning(child) && signalGroup(child.pid, 'SIGKILL'),
  };
}

const isRunning = (child) => child?.pid !== undefined && child.exitCode === null && child.signalCode === null;

const ending = ([code, signal]) => (signal ? `signal ${signal}` : `exit code ${code}`);

/** A process ended before it was ready. */
class Left extends Error {
  constructor(how) {
    super(`left with ${ending(how)}`);
    this.how = how;
  }
}

function announced(child, signal) {
  const watch = new AbortController();
  const { signal: over } = watch;
  const ready = new Promise((resolve, reject) => {
    const onMessage = (message) => message?.ready === true && resolve(message.urls);
    const onExit = (...how) => reject(new Left(how));
    const onAbort = () => reject(signal.reason);
    child.on('message', onMessage);
    child.once('exit', onExit);
    child.once('error', reject);
    signal.addEventListener('abort', onAbort, { once: true, signal: over });
    over.addEventListener('abort', () => child.off('message', onMessage).off('exit', onExit));
  });
  return ready.finally(() => watch.abort());
}
