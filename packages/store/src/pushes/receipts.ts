import { DAY_MS, type CountedReceipt } from '@pushfleet/domain';
import { registrationDigest, type Keys } from '../keys';
import { defineScript, runScript, type RedisClient } from '../redis';
import { isPushId } from './push-ids';

/** Receipts of one push and kind that are told apart exactly; beyond that a HyperLogLog does. */
export const MAX_EXACT_RECEIPTS = 100_000;
/** Life of what is known of a push that is not done: longer than any push may live and be kept. */
const OPEN_PUSH_MS = 60 * DAY_MS;

/**
 * Counts a receipt once. KEYS record, set, sketch; ARGV app, counter, member.
 */
const countScript = defineScript(`
local life = redis.call('PTTL', KEYS[1])
if redis.call('HGET', KEYS[1], 'app') ~= ARGV[1] then return 0 end
local isNew
if redis.call('SCARD', KEYS[2]) < ${MAX_EXACT_RECEIPTS} then isNew = redis.call('SADD', KEYS[2], ARGV[3])
elseif redis.call('SISMEMBER', KEYS[2], ARGV[3]) == 1 then isNew = 0
else isNew = redis.call('PFADD', KEYS[3], ARGV[3]) end
if life < 0 then life = ${OPEN_PUSH_MS} end
redis.call('PEXPIRE', KEYS[2], life)
redis.call('PEXPIRE', KEYS[3], life)
if isNew == 1 then redis.call('HINCRBY', KEYS[1], ARGV[2], 1) end
return isNew`);

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
}

export function openReceiptBooks({ redis, keys }: { redis: RedisClient; keys: Keys }): ReceiptBooks {
  return {
    async count({ app, pushId, channel, kind, registrationId }) {
      if (!isPushId(pushId)) return false;
      const counted = await runScript(redis, countScript, {
        keys: [keys.pushRecord(pushId), keys.receipts(pushId, kind), `${keys.receipts(pushId, kind)}:sketch`],
        args: [app, `c|${channel}|${kind}`, registrationDigest(registrationId)],
      });
      return counted === 1;
    },
  };
}
