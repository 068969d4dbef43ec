import { COUNTED_RECEIPTS, DAY_MS, type CountedReceipt } from '@pushfleet/domain';
import { registrationDigest } from '../kit/registration-digest';
import { shardOfPush, type PushKeys } from './keys';
import { isDone, luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';
import { isPushId } from './push-ids';
import { counterField, NAMES } from './record-fields';

/** Up to so many receipts of one push and kind are told apart exactly; a HyperLogLog estimates beyond. */
export const MAX_EXACT_RECEIPTS = 100_000;
/** Life of the receipts of an open push: longer than any push lives and is kept. */
const OPEN_PUSH_MS = 60 * DAY_MS;

const countReceipt = luaScript('pushes/count-receipt', {
  params: { record: 'key', seen: 'key', sketch: 'key', totals: 'key', app: 'text', counter: 'text', member: 'text' },
  constants: { ...NAMES, MAX_EXACT_RECEIPTS, OPEN_PUSH_MS },
  answer: isDone,
});

export interface ReceiptToCount {
  readonly app: string;
  readonly pushId: string;
  readonly channel: string;
  readonly kind: CountedReceipt;
  readonly registrationId: string;
}

export interface ReceiptBooks {
  /** True when this receipt was not seen before. A receipt for an unknown push, or another app's, changes nothing. */
  count(receipt: ReceiptToCount): Promise<boolean>;
  /** What was reported of a device that goes by any of these names; of very large pushes only the first reports are known. */
  of(pushId: string, registrationIds: readonly string[]): Promise<readonly CountedReceipt[]>;
}

export function openReceiptBooks({ redis, keys }: { redis: RedisClient; keys: PushKeys }): ReceiptBooks {
  return {
    async of(pushId, registrationIds) {
      if (registrationIds.length === 0) return [];
      const members = registrationIds.map(registrationDigest);
      const seen = await Promise.all(
        COUNTED_RECEIPTS.map((kind) => redis.smismember(keys.receipts(pushId, kind), ...members)),
      );
      return COUNTED_RECEIPTS.filter((_, i) => seen[i]?.includes(1));
    },
    async count({ app, pushId, channel, kind, registrationId }) {
      if (!isPushId(pushId)) return false;
      return countReceipt(redis, {
        record: keys.pushRecord(pushId),
        totals: keys.totals(shardOfPush(pushId)),
        seen: keys.receipts(pushId, kind),
        sketch: `${keys.receipts(pushId, kind)}:sketch`,
        app,
        counter: counterField(channel, kind),
        member: registrationDigest(registrationId),
      });
    },
  };
}
