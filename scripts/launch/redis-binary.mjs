import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { Problem } from './problem.mjs';
import { installRedis } from './install-redis.mjs';

const NAMES = ['redis-server', 'valkey-server'];
export const LEAST_REDIS = 7;

/** Path of a server that will do: from the PATH, else installed now. */
export async function ensureRedisBinary(lifeline) {
  const found = await find();
  if (found) return found;
  await installRedis(lifeline);
  const installed = await find();
  if (installed) return installed;
  throw new Problem(`There is still no ${NAMES.join(' or ')} on the PATH after the installation.`);
}

async function find() {
  const tooOld = [];
  for (const path of await candidates()) {
    const { version, isEnough } = await versionOf(path);
    if (isEnough) return path;
    tooOld.push(`${path} is ${version}`);
  }
  if (tooOld.length === 0) return undefined;
  throw new Problem(
    `pushfleet needs Redis ${LEAST_REDIS} or later, or Valkey: ${tooOld.join(', ')}.\n` +
      'Put a newer redis-server first on the PATH, or name a running one in REDIS_URL.',
  );
}

async function candidates() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const usable = await Promise.all(
    paths.map((path) =>
      access(path, constants.X_OK).then(
        () => [path],
        () => [],
      ),
    ),
  );
  return usable.flat();
}

/** `Redis server v=7.0.15 sha=…`, `Valkey server v=8.0.1 …`. */
async function versionOf(path) {
  const { stdout } = await promisify(execFile)(path, ['--version']);
  const version = /v=(\d+[\d.]*)/.exec(stdout)?.[1] ?? 'of an unknown version';
  return { version, isEnough: Number.parseInt(version, 10) >= LEAST_REDIS };
}
