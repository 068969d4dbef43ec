import { ALL_SHARDS } from '../../kit/shards';
import { luaScript } from '../../kit/lua/script';
import { readColumns } from '../column-index/column-state';
import type { Places } from '../read';
import { INDEXED_VALUE_BYTES } from './bytes-of';

/** What an app's installations take. */
export interface Usage {
  readonly installations: number;
  /** About what Redis needs for them. */
  readonly bytes: number;
  /** Made with the app key, and never seen by a gateway or a vendor. */
  readonly unconfirmed: number;
}

const usageOfShard = luaScript('installations/usage', {
  params: { records: 'key', bytes: 'key', unconfirmed: 'key', columns: 'keys' },
  answer: ([installations, bytes, unconfirmed, values]: readonly [number, number, number, number]): Usage => ({
    ...{
      installations,
      unconfirmed,
      bytes: bytes + INDEXED_VALUE_BYTES * values,
    },
  }),
});

/** Values in indexes are counted where they stand: what an operator indexes later, or no more, is right at once. */
export async function readUsage({ redis, keys }: Places, app: string): Promise<Usage> {
  const columns = Object.keys((await readColumns({ redis, keys }, app)).state.columns);
  const shards = await Promise.all(
    ALL_SHARDS.map((shard) =>
      usageOfShard(redis, {
        records: keys.records(app, shard),
        bytes: keys.installationBytes(app, shard),
        unconfirmed: keys.unconfirmed(app, shard),
        columns: columns.map((column) => keys.column(app, shard, column)),
      }),
    ),
  );
  const sum = (field: keyof Usage): number => shards.reduce((all, shard) => all + shard[field], 0);
  return { installations: sum('installations'), bytes: sum('bytes'), unconfirmed: sum('unconfirmed') };
}
