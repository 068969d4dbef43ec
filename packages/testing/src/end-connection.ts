import type { Cluster, Redis } from 'ioredis';

/** Ends a connection unless it has ended: `disconnect` of ioredis 6.0 on such a one keeps the process for two seconds. */
export function endConnection(redis: Redis | Cluster): void {
  if (redis.status !== 'end') redis.disconnect();
}
