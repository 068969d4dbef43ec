import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openCloseStack, untilOpened, type Close } from './close-stack';
import { isConfigError } from './config-error';
import { createLogger, type Logger } from './logger';
import { LONGEST_TIMER_MS } from './repeat';
import { takeSignals, type Signals } from './take-signals';

export interface Announcement {
  readonly urls: Readonly<Record<string, string>>;
}

export interface ServiceContext {
  /** Registers the close of what was just opened; closes run in reverse order. */
  onClose(name: string, close: Close): void;
  /** Aborted when draining takes too long: work in flight must let go. */
  readonly cutoff: AbortSignal;
  /** Aborted by the first signal: nothing new is begun. */
  readonly stopping: AbortSignal;
  /** Runs before the first close. */
  onStopping(run: () => void): void;
  /** Lifecycle events are logged here from now on, instead of to stderr. */
  logWith(log: Logger): void;
  /** For a service that takes longer than usual to let its work go. */
  drainWithin(ms: number): void;
  /** What is still open cannot be closed as it should: a service that is not given longer than usual leaves within seconds. */
  hurry(reason: string): void;
  /** Tells a launcher that holds an IPC channel that the service is ready, and where. */
  announce(info: Announcement): void;
}

export interface ServiceOptions {
  readonly drainGraceMs?: number;
  readonly deadlineMs?: number;
  /** Taken already, by a process that began to load the rest afterwards. */
  readonly signals?: Signals;
}

interface Lifecycle {
  open(start: (context: ServiceContext) => Promise<void>): Promise<void>;
  isStopping(): boolean;
  stop(reason: string, exitCode: number): Promise<void>;
  reportFailedStart(error: unknown): void;
  /** Leaves at once; what is open is abandoned. */
  abandon(error: unknown, reason: string): void;
}

/** Between the cut-off of a long drain and its end. */
const AFTER_CUTOFF_MS = 10_000;
export const AFTER_HURRY_MS = 3000;

const exitWith = (code: number): never => process.exit(code);

const announce = (info: Announcement): void => {
  // A launcher that is gone is noticed by the disconnect; the callback keeps the failed send from being thrown.
  process.send?.({ ready: true, ...info }, undefined, undefined, () => undefined);
};

function attempt(run: () => void, onFailure: (error: unknown) => void): void {
  try {
    run();
  } catch (error) {
    onFailure(error);
  }
}

function openLifecycle(name: string, options: ServiceOptions): Lifecycle {
  let { drainGraceMs = 20_000, deadlineMs = 30_000 } = options;
  let hasOwnDrain = false;
  let opening = Promise.resolve();
  let log = createLogger({ LOG_LEVEL: 'info', LOG_TO: 'stderr' }, name);
  const stopping = new AbortController();
  const cutoff = new AbortController();
  // Every call in flight listens to these; Node would take the eleventh listener for a leak.
  setMaxListeners(0, stopping.signal, cutoff.signal);
  const hooks: (() => void)[] = [];
  const closes = openCloseStack((resource, err) => log.error({ err, resource }, 'close failed'));

  const runHook = (hook: () => void): void => attempt(hook, (err) => log.error({ err }, 'a stopping hook failed'));

  const context: ServiceContext = {
    onClose: closes.add,
    cutoff: cutoff.signal,
    stopping: stopping.signal,
    onStopping: (run) => (stopping.signal.aborted ? runHook(run) : void hooks.push(run)),
    logWith: (next) => void (log = next),
    hurry: (reason) => {
      log.warn({ reason }, 'leaving without what is still open');
      if (hasOwnDrain) return;
      cutoff.abort();
      setTimeout(() => exitWith(1), AFTER_HURRY_MS);
    },
    drainWithin: (ms) => {
      hasOwnDrain = true;
      const graceMs = Math.min(ms, LONGEST_TIMER_MS - AFTER_CUTOFF_MS);
      drainGraceMs = Math.max(drainGraceMs, graceMs);
      deadlineMs = Math.max(deadlineMs, graceMs + AFTER_CUTOFF_MS);
    },
    announce,
  };

  return {
    open: (start) => (opening = start(context)),
    isStopping: () => stopping.signal.aborted,
    stop: async (reason, exitCode) => {
      // A failed start has said already what there is to say.
      const level = exitCode === 0 ? 'info' : 'debug';
      log[level]({ reason }, 'stopping');
      // Both timers stay referenced: a close that waits for nothing must not end the process as if all were well.
      setTimeout(() => cutoff.abort(), drainGraceMs);
      setTimeout(() => {
        log.fatal({ deadlineMs }, 'still open at the deadline');
        exitWith(1);
      }, deadlineMs);
      stopping.abort();
      hooks.forEach(runHook);
      await untilOpened(opening);
      const isClean = await closes.closeAll();
      log[level]('stopped');
      exitWith(isClean ? exitCode : 1);
    },
    reportFailedStart: (err) => {
      if (isConfigError(err)) process.stderr.write(`${err.lines.join('\n')}\n`);
      else log.fatal({ err }, 'start failed');
    },
    abandon: (err, reason) => {
      log.fatal({ err }, reason);
      exitWith(1);
    },
  };
}

function listenToTheWorld({ isStopping, stop, abandon }: Lifecycle, signals: Signals): void {
  const stopOnce = (reason: string): void => (isStopping() ? undefined : void stop(reason, 0));
  let isSignalled = false;
  // Counts signals only: a launcher that signals and leaves is one wish to stop, in whatever order it arrives.
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isSignalled) abandon(undefined, `second signal: ${signal}`);
    isSignalled = true;
    stopOnce(signal);
  };
  signals.listen((wish) => (wish.kind === 'signal' ? onSignal(wish.signal) : stopOnce('the launcher is gone')));
  process.on('uncaughtException', (error) => abandon(error, 'uncaught exception'));
  process.on('unhandledRejection', (error) => abandon(error, 'unhandled rejection'));
}

/** Runs a process from its first line to its last: `start` opens things, signals close them. */
export async function runService(
  name: string,
  start: (context: ServiceContext) => Promise<void>,
  options: ServiceOptions = {},
): Promise<void> {
  const lifecycle = openLifecycle(name, options);
  listenToTheWorld(lifecycle, options.signals ?? takeSignals());
  // A signal that came while modules were loaded is heard in this turn: then nothing is opened at all.
  await nextTurn();
  if (lifecycle.isStopping()) return;
  try {
    await lifecycle.open(start);
  } catch (error) {
    // A start that fails because everything is being closed around it is no news.
    if (lifecycle.isStopping()) return;
    lifecycle.reportFailedStart(error);
    await lifecycle.stop('start failed', 1);
  }
}
