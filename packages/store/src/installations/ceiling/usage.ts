import { SHARDS } from '../../kit/shards';
import { defineScript, runScript } from '../../kit/redis';
import type { Reader } from '../read';

/** What an app's installations take. */
export interface Usage {
  readonly installations: number;
  /** About what Redis needs for them. */
  readonly bytes: number;
  /** Made with the app key, and never seen by a gateway or a vendor. */
  readonly unconfirmed: number;
}

/** KEYS records, bytes, unconfirmed of one shard. */
const usageScript = defineScript(`
return { redis.call('HLEN', KEYS[1]), tonumber(redis.call('GET', KEYS[2]) or 0), redis.call('ZCARD', KEYS[3]) }`);

export async function readUsage({ redis, keys }: Reader, app: string): Promise<Usage> {
  const shards = await Promise.all(
    Array.from({ length: SHARDS }, (_, shard) => {
      const names = [keys.records(app, shard), keys.installationBytes(app, shard), keys.unconfirmed(app, shard)];
      return runScript(redis, usageScript, { keys: names, args: [] }) as Promise<[number, number, number]>;
    }),
  );
  const sum = (field: 0 | 1 | 2): number => shards.reduce((all, shard) => all + shard[field], 0);
  return { installations: sum(0), bytes: sum(1), unconfirmed: sum(2) };
}
