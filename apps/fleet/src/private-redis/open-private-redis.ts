import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { constrainedMemory } from 'node:process';
import { totalmem } from 'node:os';
import { ConfigError, type ServiceContext, type Logger } from '@pushfleet/service-kit';
import { findRedisServer, LEAST_REDIS, REDIS_SERVERS } from './find-redis-server';
import { endFormerRedis } from './former-redis';
import { holdFolder, REDIS_DIR_OPTION } from './hold-folder';
import { REDIS_HOST } from './redis-arguments';
import { runRedis } from './run-redis';

/** Of the memory of the machine or the container: as much is left for the fleet, and for rewriting the file. */
const MEMORY_SHARE = 0.4;

/** A Redis that this process keeps in a folder, for itself alone. */
export interface PrivateRedis {
  readonly url: string;
  /** Resolves when it serves; it is stopped with the process, after all that is opened later. */
  start(service: Pick<ServiceContext, 'onClose' | 'stopping'>, options: StartOptions): Promise<void>;
}

interface StartOptions {
  readonly log: Logger;
  /** As Redis takes it. */
  readonly maxMemory: string | undefined;
}

/** Its program is looked for in the folders of a PATH. Throws a `ConfigError` where there is none. */
export async function openPrivateRedis(named: string, searchPath: string | undefined): Promise<PrivateRedis> {
  const binary = await binaryIn(searchPath);
  const port = await freePort();
  return {
    url: `redis://${REDIS_HOST}:${port}`,
    async start({ onClose, stopping }, { log, maxMemory = shareOfMemory() }) {
      const { dir, release } = await holdFolder(named);
      onClose('folder of Redis', release);
      await endFormerRedis(dir, stopping);
      const redis = await runRedis({ binary, dir, port, maxMemory, log, stopping });
      onClose('Redis', () => redis.close());
      log.info({ dir, maxMemory }, 'keeps a Redis of its own');
    },
  };
}

async function binaryIn(searchPath: string | undefined): Promise<string> {
  const { path, tooOld } = await findRedisServer(searchPath);
  if (path !== undefined) return path;
  const found = tooOld.length > 0 ? tooOld.join(', ') : `there is no ${REDIS_SERVERS.join(' or ')} on the PATH`;
  throw new ConfigError([
    `${REDIS_DIR_OPTION}: ${found}; install Redis ${LEAST_REDIS} or later, or name a running one in REDIS_URL instead`,
  ]);
}

function shareOfMemory(): string {
  const constrained = constrainedMemory();
  const all = totalmem();
  return String(Math.round(MEMORY_SHARE * (constrained > 0 && constrained < all ? constrained : all)));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, REDIS_HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
