import type { InstallationKeys } from './keys';
import type { RedisClient } from '../kit/redis';

/** Installations that are no targets because nobody saw their devices for long. */
export interface Unseen {
  readonly kept: number;
  /** Those of them that are removed soon. */
  readonly ending: number;
}

const COUNTS = ['kept', 'ending'] as const;

interface Parts {
  readonly redis: RedisClient;
  readonly keys: InstallationKeys;
}

export async function noteUnseen({ redis, keys }: Parts, app: string, found: Unseen): Promise<void> {
  await redis.hset(keys.unseen(), Object.fromEntries(COUNTS.map((count) => [`${app} ${count}`, found[count]])));
}

export async function readUnseen({ redis, keys }: Parts): Promise<Unseen> {
  const all = Object.entries(await redis.hgetall(keys.unseen()));
  const sumOf = (count: string): number =>
    all.reduce((sum, [field, value]) => sum + (field.endsWith(` ${count}`) ? Number(value) : 0), 0);
  return { kept: sumOf('kept'), ending: sumOf('ending') };
}
