import { registrationDigest } from '../kit/registration-digest';
import { luaScript, nothing } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';
import { shardOfPush, type PushKeys } from './keys';
import { LAPSED, NAMES } from './record-fields';

const lose = luaScript('pushes/lose-message', {
  params: {
    record: 'key',
    totals: 'key',
    text: 'key',
    lost: 'key',
    delivered: 'key',
    counter: 'text',
    members: 'texts',
  },
  constants: NAMES,
  answer: nothing,
});

/** Counts devices whose full mailboxes lost a push; what it says goes with the last mailbox that holds it. */
export const loseMessage = (
  { redis, keys }: { readonly redis: RedisClient; readonly keys: PushKeys },
  pushId: string,
  installationIds: readonly string[],
): Promise<void> =>
  lose(redis, {
    record: keys.pushRecord(pushId),
    totals: keys.totals(shardOfPush(pushId)),
    text: keys.ownMessage(pushId),
    lost: keys.ownLost(pushId),
    delivered: keys.receipts(pushId, 'delivered'),
    counter: LAPSED,
    members: installationIds.map(registrationDigest),
  });
