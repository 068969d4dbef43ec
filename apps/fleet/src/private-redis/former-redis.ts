import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from '@pushfleet/service-kit';
import { askRedis } from './ask-redis';
import { commandLineOf } from './command-line';
import { REDIS_DIR_OPTION } from './hold-folder';
import { REDIS_HOST } from './redis-arguments';

const LEAVES_WITHIN_MS = 60_000;
const LOOK_MS = 100;

/** Written by a Redis when it starts and removed when it leaves in good order, whatever becomes of the process that started it. */
export const pidFileIn = (dir: string): string => join(dir, 'redis.pid');

/**
 * Ends the Redis that a killed process left, for two of them would write to the same files. Throws a `ConfigError` while it
 * does not leave: it is known to the next start as well.
 */
export async function endFormerRedis(dir: string, stopping: AbortSignal): Promise<void> {
  const pid = pidIn(dir);
  const deadline = performance.now() + LEAVES_WITHIN_MS;
  while (await isRedisOf(dir, pid)) {
    stopping.throwIfAborted();
    if (performance.now() > deadline)
      throw new ConfigError([
        `${REDIS_DIR_OPTION}: Redis, process ${pid}, still uses ${dir} and does not leave; look into ${join(dir, 'redis.log')}, and stop it`,
      ]);
    signal(pid);
    await delay(LOOK_MS);
  }
}

function pidIn(dir: string): number {
  try {
    return Number(readFileSync(pidFileIn(dir), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

/** A Redis calls itself by its address; after a crash another one, of another folder, may have its number. */
async function isRedisOf(dir: string, pid: number): Promise<boolean> {
  const [, port] = new RegExp(`(?:redis|valkey)\\S*\\s+${REDIS_HOST}:(\\d+)`).exec(await commandLineOf(pid)) ?? [];
  if (port === undefined) return false;
  const answer = await askRedis(Number(port), 'CONFIG GET dir');
  // One that does not answer may be busy with its files.
  return !answer?.startsWith('*') || answer.split('\r\n').includes(dir);
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
