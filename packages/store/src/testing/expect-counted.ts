/// <reference types="jest" />
import { ALL_SHARDS } from '../kit/shards';
import { bytesOf } from '../installations/ceiling/bytes-of';
import { decodeInstallation, indexedEntryOf } from '../installations/stored';
import type { StoreUnderTest } from './store-under-test';

/** What stands beside the records of an app agrees with them; resolves with the ids of those that are unconfirmed. */
export async function expectCounted({ redis, keys }: StoreUnderTest, app: string): Promise<readonly string[]> {
  const shards = ALL_SHARDS.map(async (shard) => {
    const texts = Object.entries(await redis.hgetall(keys.records(app, shard)));
    const bytes = texts.map(([id, text]) => {
      const stored = decodeInstallation(id, text, '');
      return bytesOf(text, stored && indexedEntryOf(stored));
    });
    const counted = Number((await redis.get(keys.installationBytes(app, shard))) ?? 0);
    expect(counted).toBe(bytes.reduce((a, b) => a + b, 0));
    const unconfirmed = await redis.zrange(keys.unconfirmed(app, shard), '0', '-1');
    const recorded = new Set(texts.map(([id]) => id));
    expect(unconfirmed.filter((id) => !recorded.has(id))).toEqual([]);
    return unconfirmed;
  });
  return (await Promise.all(shards)).flat();
}
