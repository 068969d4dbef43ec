import type { Cluster, Redis } from 'ioredis';
import { mastersOf } from './connect-test-redis';

/** So much that what a test itself leaves in Redis does not matter for how full a master is. */
const FILLER_BYTES = 32 * 1024 * 1024;

/** Gives every master the `maxmemory` of which the fullest has this share in use, and resolves with it, in bytes. */
export async function fillMasters(redis: Redis | Cluster, share: number): Promise<number> {
  const masters = mastersOf(redis);
  await redis.setrange('filler', FILLER_BYTES - 1, 'x');
  const infos = await Promise.all(masters.map((master) => master.info('memory')));
  const used = Math.max(...infos.map((info) => Number(/used_memory:(\d+)/.exec(info)?.[1])));
  const maxmemory = Math.round(used / share);
  for (const master of masters) await master.config('SET', 'maxmemory', String(maxmemory));
  return maxmemory;
}
