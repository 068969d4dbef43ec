import { keysIn } from '@pushfleet/testing';
import type { StoreUnderTest } from './store-under-test';

/** Kept for a minute or two, for those who were writing at that moment. */
const PASSING = /:(fences|releases)$/;

/** Everything that Redis holds for long of an app's installations: each entry of each hash and set, as a line. */
export async function dumpInstallations({ redis, keys }: StoreUnderTest, app: string): Promise<readonly string[]> {
  const lines: string[] = [];
  const found = await keysIn(redis, `${keys.namespace}:i:{${app}[:}]*`);
  for (const key of found.filter((name) => !PASSING.test(name))) lines.push(...(await linesOf(redis, key)));
  return lines.sort();
}

async function linesOf(redis: StoreUnderTest['redis'], key: string): Promise<readonly string[]> {
  const type = await redis.type(key);
  if (type === 'set') return (await redis.smembers(key)).map((member) => `${key} ${member}`);
  if (type === 'zset') return (await redis.zrange(key, '0', '-1')).map((member) => `${key} ${member}`);
  if (type === 'string') return [`${key} ${String(await redis.get(key))}`];
  return Object.entries(await redis.hgetall(key)).map(([field, value]) => `${key} ${field} ${value}`);
}
