import { type Audience, readJson, writeJson } from '@pushfleet/domain';
import type { Keys } from '../keys';
import { defineScript, runScript, type RedisClient } from '../redis';

/** Field of a push record; beside `audience`, which is dropped when it is long. */
export const RESOLVED_AUDIENCE = 'resolved';

/** Whoever dispatches first decides; a record that is gone stays gone. KEYS record; ARGV audience. */
const keepScript = defineScript(`
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSETNX', KEYS[1], '${RESOLVED_AUDIENCE}', ARGV[1]) end
return redis.call('HGET', KEYS[1], '${RESOLVED_AUDIENCE}') or ARGV[1]`);

/** Keeps whom a push is for once its sub-queries are answered; resolves with what was kept first. */
export async function keepResolvedAudience(
  { redis, keys }: { readonly redis: RedisClient; readonly keys: Keys },
  pushId: string,
  audience: Audience,
): Promise<Audience> {
  const script = { keys: [keys.pushRecord(pushId)], args: [writeJson(audience)] };
  return readJson((await runScript(redis, keepScript, script)) as string) as Audience;
}
