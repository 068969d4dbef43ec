import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError, type Logger } from '@pushfleet/service-kit';
import { answersPing } from './ask-redis';
import { pidFileIn } from './former-redis';
import { REDIS_DIR_OPTION } from './hold-folder';
import { redisArguments, type PrivateRedisSettings } from './redis-arguments';
import { LOG_FILE, RedisLog } from './redis-log';

const LOOK_MS = 20;
const RESTART_AFTER_MS = 1000;

export interface RunningRedis {
  /** Lets it write what it holds, and leave. */
  close(): Promise<void>;
}

interface Options extends PrivateRedisSettings {
  readonly binary: string;
  readonly log: Pick<Logger, 'error' | 'info'>;
  /** Aborted when the process is to stop. */
  readonly stopping: AbortSignal;
}

/**
 * Resolves when Redis serves, which takes as long as it reads its data. One that ends by itself is started again on what it wrote.
 * Throws a `ConfigError` where it does not come up at first.
 */
export async function runRedis({ binary, log, stopping, ...settings }: Options): Promise<RunningRedis> {
  const { dir, port } = settings;
  const onError = (err: unknown): void => log.error({ err }, 'Redis cannot be started');
  const redisLog = new RedisLog(dir);
  redisLog.begin();
  let child = launch(binary, settings, onError);
  const kill = (): void => void child.kill('SIGTERM');
  // Whoever ends this process in a hurry does not leave a Redis behind.
  process.once('exit', kill);
  let isClosing = false;

  const keep = async (): Promise<void> => {
    while (!isClosing) {
      await gone(child);
      if (isClosing || stopping.aborted) return;
      log.error({ lastLine: redisLog.lastLine() }, 'Redis has left; starting it again');
      await delay(RESTART_AFTER_MS);
      if (isClosing || stopping.aborted) return;
      redisLog.begin();
      try {
        child = launch(binary, settings, onError);
      } catch (error) {
        // The machine has no memory for another process, for a while.
        onError(error);
        continue;
      }
      if (await serves(child, port, stopping)) log.info('Redis is back');
    }
  };

  const close = async (): Promise<void> => {
    isClosing = true;
    process.removeListener('exit', kill);
    kill();
    await gone(child);
  };

  if (!(await serves(child, port, stopping))) {
    await close();
    throw new ConfigError([
      `${REDIS_DIR_OPTION}: Redis does not start in ${dir}: ${redisLog.lastLine()} (${redisLog.file})`,
    ]);
  }
  void keep();
  return { close };
}

function launch(binary: string, settings: PrivateRedisSettings, onError: (error: unknown) => void): ChildProcess {
  const files = ['--pidfile', pidFileIn(settings.dir), '--logfile', LOG_FILE];
  const args = [...redisArguments(settings), ...files, '--loglevel', 'warning'];
  // In a group of its own: a Ctrl-C is for this process, which needs Redis to leave in good order. It is told no secret.
  return spawn(binary, args, { cwd: settings.dir, env: {}, stdio: 'ignore', detached: true }).on('error', onError);
}

const isGone = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid === undefined || exitCode !== null || signalCode !== null;

const gone = async (child: ChildProcess): Promise<void> => {
  if (!isGone(child)) await once(child, 'exit');
};

async function serves(child: ChildProcess, port: number, stopping: AbortSignal): Promise<boolean> {
  while (!isGone(child) && !stopping.aborted) {
    if (await answersPing(port)) return true;
    await delay(LOOK_MS);
  }
  return false;
}
