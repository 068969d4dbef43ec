import type { Cluster, Redis } from 'ioredis';
import { mastersOf } from './connect-test-redis';

/**
 * The keys that match a pattern, on all masters. A scan visits every key of the server, whosever it is:
 * with the default of ten keys a trip, the tests that run beside this one would set its speed.
 */
export async function keysIn(redis: Redis | Cluster, pattern: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for (const node of mastersOf(redis)) {
    for await (const found of node.scanStream({ match: pattern, count: 1000 })) keys.push(...(found as string[]));
  }
  // A key may come twice while the server's table grows.
  return [...new Set(keys)];
}
