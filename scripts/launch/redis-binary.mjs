import { Problem } from './problem.mjs';
import { installRedis } from './install-redis.mjs';

/** Path of a server that will do: from the PATH, else installed now. The repository is built by then. */
export async function ensureRedisBinary(lifeline) {
  const { findRedisServer, LEAST_REDIS, REDIS_SERVERS } = await import('@pushfleet/fleet/private-redis');
  const find = async () => {
    const { path, tooOld } = await findRedisServer(process.env.PATH);
    if (path !== undefined || tooOld.length === 0) return path;
    throw new Problem(
      `pushfleet needs Redis ${LEAST_REDIS} or later, or Valkey: ${tooOld.join(', ')}.\n` +
        'Put a newer redis-server first on the PATH, or name a running one in REDIS_URL.',
    );
  };
  const found = await find();
  if (found) return found;
  await installRedis(lifeline);
  const installed = await find();
  if (installed) return installed;
  throw new Problem(`There is still no ${REDIS_SERVERS.join(' or ')} on the PATH after the installation.`);
}
