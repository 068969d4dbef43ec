import { chunksOf } from '@pushfleet/domain';
import type { RedisClient } from './redis';

export type HashField = readonly [name: string, text: string];

const READ_AT_ONCE = 500;

/** In pages of about `count`. A field may come twice while the hash grows or shrinks. */
export async function* fieldsByCursor(
  redis: RedisClient,
  key: string,
  count = READ_AT_ONCE,
): AsyncGenerator<readonly HashField[]> {
  let cursor = '0';
  do {
    const [next, flat] = await redis.hscan(key, cursor, 'COUNT', count);
    if (flat.length > 0) yield flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1] ?? ''] as const] : []));
    cursor = next;
  } while (cursor !== '0');
}

/** The fields that the hash has at first, each once: a cursor means nothing any more when Redis is restarted in between. */
export async function* fieldsByName(redis: RedisClient, key: string): AsyncGenerator<readonly HashField[]> {
  const names = await redis.hkeys(key);
  for (const some of chunksOf(names, READ_AT_ONCE)) {
    const texts = await redis.hmget(key, ...some);
    yield some.flatMap((name, n) => {
      const text = texts[n];
      return typeof text === 'string' ? [[name, text] as const] : [];
    });
  }
}
