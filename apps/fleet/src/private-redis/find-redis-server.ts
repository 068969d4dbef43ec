import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';
import { promisify } from 'node:util';

export const REDIS_SERVERS = ['redis-server', 'valkey-server'] as const;
export const LEAST_REDIS = 7;

export interface FoundServers {
  /** The first one that will do. */
  readonly path?: string;
  /** Those before it that will not, as `/usr/bin/redis-server is 6.2.1`. */
  readonly tooOld: readonly string[];
}

/** Looks through the folders of a PATH. */
export async function findRedisServer(searchPath = ''): Promise<FoundServers> {
  const tooOld: string[] = [];
  for (const path of await candidatesIn(searchPath)) {
    const version = await versionOf(path);
    if (Number.parseInt(version, 10) >= LEAST_REDIS) return { path, tooOld };
    tooOld.push(`${path} is ${version}`);
  }
  return { tooOld };
}

async function candidatesIn(searchPath: string): Promise<readonly string[]> {
  const folders = searchPath.split(delimiter).filter(Boolean);
  const paths = REDIS_SERVERS.flatMap((name) => folders.map((folder) => resolve(folder, name)));
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
async function versionOf(path: string): Promise<string> {
  const { stdout } = await promisify(execFile)(path, ['--version']);
  return /v=(\d+[\d.]*)/.exec(stdout)?.[1] ?? 'of an unknown version';
}
