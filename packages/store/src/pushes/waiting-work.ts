import type { Reason } from '@pushfleet/domain';
import type { PushKeys } from './keys';
import { luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';
import { estimatesIn } from './estimates';
import { NAMES } from './record-fields';

/** What is open of a push for one profile of a channel. */
export interface WaitingWork {
  readonly channel: string;
  readonly profile: string;
  readonly hasPages: boolean;
  readonly hasLanes: boolean;
  readonly isDirect: boolean;
  /** Of its stored pages the one that is sent last: when, and how its devices are booked if that is never. */
  readonly lastPage: { readonly dueAt: number; readonly booksAs: Reason | undefined };
  /** When the budget will have had room for all of the work, milliseconds since the epoch. */
  readonly estimatedDoneAt: number | undefined;
}

/** Of more pages, the rest is not read: it is usually of the same profiles. */
const MAX_PAGES = 50;

type Row = readonly [
  ...[channel: string, profile: string, pages: number, lanes: number, direct: number],
  ...[dueAt: number, booksAs: Reason | ''],
];

const waitingWork = luaScript('pushes/waiting-work', {
  params: { ledger: 'key', record: 'key' },
  constants: { ...NAMES, MAX_PAGES },
  answer: ([estimates, ...rows]: readonly [string, ...Row[]]): readonly WaitingWork[] => {
    const doneAt = estimatesIn(estimates);
    return rows.map(([channel, profile, pages, lanes, direct, dueAt, booksAs]) => ({
      channel,
      profile,
      hasPages: pages === 1,
      hasLanes: lanes === 1,
      isDirect: direct === 1,
      lastPage: { dueAt, booksAs: booksAs === '' ? undefined : booksAs },
      estimatedDoneAt: doneAt.get(channel),
    }));
  },
});

export const readWaitingWork = (
  { redis, keys }: { readonly redis: RedisClient; readonly keys: PushKeys },
  pushId: string,
): Promise<readonly WaitingWork[]> =>
  waitingWork(redis, { ledger: keys.ledger(pushId), record: keys.pushRecord(pushId) });
