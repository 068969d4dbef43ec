import { keysIn } from '@pushfleet/testing';
import type { StoreUnderTest } from './store-under-test';

/** Everything that Redis holds of an app's installations: each entry of each hash and set, as a line. */
export async function dumpInstallations({ redis, keys }: StoreUnderTest, app: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const key of await keysIn(redis, `${keys.namespace}:i:{${app}[:}]*`)) lines.push(...(await linesOf(redis, key)));
  return lines.sort();
}

async function linesOf(redis: StoreUnderTest['redis'], key: string): Promise<readonly string[]> {
  const type = await redis.type(key);
  if (type === 'set') return (await redis.smembers(key)).map((member) => `${key} ${member}`);
  if (type === 'zset') return (await redis.zrange(key, '0', '-1')).map((member) => `${key} ${member}`);
  if (type === 'string') return [`${key} ${String(await redis.get(key))}`];
  return Object.entries(await redis.hgetall(key)).map(([field, value]) => `${key} ${field} ${value}`);
}
