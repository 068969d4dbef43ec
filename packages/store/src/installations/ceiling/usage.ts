import { groupBy } from '@pushfleet/domain';
import { ALL_SHARDS } from '../../kit/shards';
import { luaScript } from '../../kit/lua/script';
import { MUTE_BYTES } from '../../messaging';
import { readColumns } from '../column-index/column-state';
import type { Places } from '../read';
import { togetherOn } from '../together';
import { INDEXED_VALUE_BYTES } from './bytes-of';

/** What an app's installations take. */
export interface Usage {
  readonly installations: number;
  /** About what Redis needs for them. */
  readonly bytes: number;
  /** Of these, what a chat server had the app keep beside them: mutes and bindings. */
  readonly messagingBytes: number;
  /** Made with the app key, and never seen by a gateway or a vendor. */
  readonly unconfirmed: number;
}

const usageOf = luaScript('installations/usage', {
  params: {
    records: 'keys',
    bytes: 'keys',
    unconfirmed: 'keys',
    columns: 'keys',
    muted: 'keys',
    bindingBytes: 'keys',
  },
  answer: ([installations, bytes, unconfirmed, values, mutes, bindingBytes]: Counts): Usage => {
    const messagingBytes = MUTE_BYTES * mutes + bindingBytes;
    const all = bytes + INDEXED_VALUE_BYTES * values + messagingBytes;
    return { installations, unconfirmed, bytes: all, messagingBytes };
  },
});

type Counts = readonly [number, number, number, number, number, number];

/** Values in indexes and mutes are counted where they stand: what an operator indexes later, or no more, is right at once. */
export async function readUsage({ redis, keys }: Places, app: string): Promise<Usage> {
  const columns = Object.keys((await readColumns({ redis, keys }, app)).state.columns);
  const together = togetherOn(redis);
  const groups = [...groupBy(ALL_SHARDS, (shard) => together(app, shard)).values()];
  const usages = await Promise.all(
    groups.map((shards) =>
      usageOf(redis, {
        records: shards.map((shard) => keys.records(app, shard)),
        bytes: shards.map((shard) => keys.installationBytes(app, shard)),
        unconfirmed: shards.map((shard) => keys.unconfirmed(app, shard)),
        columns: shards.flatMap((shard) => columns.map((column) => keys.column(app, shard, column))),
        muted: shards.map((shard) => keys.muted(app, shard)),
        bindingBytes: shards.map((shard) => keys.bindingBytes(app, shard)),
      }),
    ),
  );
  const sum = (field: keyof Usage): number => usages.reduce((all, one) => all + one[field], 0);
  return {
    installations: sum('installations'),
    bytes: sum('bytes'),
    messagingBytes: sum('messagingBytes'),
    unconfirmed: sum('unconfirmed'),
  };
}
