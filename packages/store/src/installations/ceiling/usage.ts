import { SHARDS } from '../../kit/shards';
import { luaScript } from '../../kit/lua/script';
import type { Reader } from '../read';

/** What an app's installations take. */
export interface Usage {
  readonly installations: number;
  /** About what Redis needs for them. */
  readonly bytes: number;
  /** Made with the app key, and never seen by a gateway or a vendor. */
  readonly unconfirmed: number;
}

const usageOfShard = luaScript('installations/usage', {
  params: { records: 'key', bytes: 'key', unconfirmed: 'key' },
  answer: ([installations, bytes, unconfirmed]: readonly [number, number, number]): Usage => ({
    ...{ installations, bytes, unconfirmed },
  }),
});

export async function readUsage({ redis, keys }: Reader, app: string): Promise<Usage> {
  const shards = await Promise.all(
    Array.from({ length: SHARDS }, (_, shard) =>
      usageOfShard(redis, {
        records: keys.records(app, shard),
        bytes: keys.installationBytes(app, shard),
        unconfirmed: keys.unconfirmed(app, shard),
      }),
    ),
  );
  const sum = (field: keyof Usage): number => shards.reduce((all, shard) => all + shard[field], 0);
  return { installations: sum('installations'), bytes: sum('bytes'), unconfirmed: sum('unconfirmed') };
}
