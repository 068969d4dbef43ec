import { shardOfPush, type PushKeys } from './keys';
import { luaScript, nothing } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';
import { counterField } from './record-fields';

const add = luaScript('pushes/add-to-counter', {
  params: { record: 'key', totals: 'key', counter: 'text', by: 'text' },
  answer: nothing,
});

/** Adds to a counter of a push; a record that is gone stays gone. */
export const addToCounter = (
  { redis, keys }: { readonly redis: RedisClient; readonly keys: PushKeys },
  pushId: string,
  [channel, counter, by]: readonly [channel: string, counter: string, by: number],
): Promise<void> =>
  add(redis, {
    record: keys.pushRecord(pushId),
    totals: keys.totals(shardOfPush(pushId)),
    counter: counterField(channel, counter),
    by,
  });
