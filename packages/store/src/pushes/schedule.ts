import type { PushRecord } from '@pushfleet/domain';
import { SHARDS } from '../kit/shards';
import type { PushKeys } from './keys';
import { luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';
import type { NewPush, ScheduledPlace } from './new-push';
import { shardFor } from './place-pushes';
import { openPushIds } from './push-ids';
import type { PushRecords } from './records';

/** The pushes of each app that wait for their time; every one has a number, counted per app. */
export interface PushSchedule {
  /** Takes a place before the push is accepted; undefined when all of them are taken. */
  take(push: Pick<NewPush, 'app' | 'reqId' | 'pushTime'>, bounds: TakeBounds): Promise<ScheduledPlace | undefined>;
  /** Places that are taken by pushes whose time has not come. */
  count(app: string, now: number): Promise<number>;
  /** Gives a place back when its push was cancelled or not accepted. */
  leave(app: string, place: ScheduledPlace): Promise<void>;
  /** In the order of their times. */
  list(app: string, range: { limit: number; skip: number }): Promise<readonly PushRecord[]>;
  /** By its number, or by its push id. */
  find(app: string, id: number | string): Promise<PushRecord | undefined>;
}

export interface TakeBounds {
  readonly max: number;
  readonly now: number;
}

const takePlace = luaScript('pushes/take-place', {
  params: {
    schedule: 'key',
    counter: 'key',
    pushesOfApp: 'key',
    now: 'text',
    places: 'number',
    id: 'text',
    pushTime: 'text',
  },
  answer: Number,
});

interface ScheduleParts {
  readonly redis: RedisClient;
  readonly keys: PushKeys;
  readonly pushes: Pick<PushRecords, 'read'>;
}

export function openSchedule({ redis, keys, pushes }: ScheduleParts): PushSchedule {
  const newPushId = openPushIds();
  const places = async (app: string, from = 0, to = -1): Promise<readonly ScheduledPlace[]> =>
    (await redis.zrange(keys.schedule(app), String(from), String(to))).map(parsePlace);
  /** Undefined when the push is under way or cancelled: it waits no more. */
  const read = async ({ pushId }: ScheduledPlace): Promise<PushRecord | undefined> => {
    const record = await pushes.read(pushId);
    return record?.status === 'scheduled' ? record : undefined;
  };
  return {
    async take(push, { max, now }) {
      const pushId = newPushId(shardFor(push) ?? Math.floor(Math.random() * SHARDS));
      const { app, pushTime } = push;
      const number = await takePlace(redis, {
        schedule: keys.schedule(app),
        counter: keys.scheduleCount(app),
        pushesOfApp: keys.pushesOf(app),
        now,
        places: max,
        id: pushId,
        pushTime,
      });
      return number === 0 ? undefined : { number, pushId };
    },
    count: (app, now) => redis.zcount(keys.schedule(app), `(${now}`, '+inf'),
    async leave(app, { number, pushId }) {
      await redis.zrem(keys.schedule(app), `${number} ${pushId}`);
    },
    async list(app, { limit, skip }) {
      if (limit === 0) return [];
      const records = await Promise.all((await places(app, skip, skip + limit - 1)).map(read));
      return records.filter((record) => record !== undefined);
    },
    async find(app, id) {
      const place = (await places(app)).find(({ number, pushId }) => number === id || pushId === id);
      return place && read(place);
    },
  };
}

function parsePlace(member: string): ScheduledPlace {
  const space = member.indexOf(' ');
  return { number: Number(member.slice(0, space)), pushId: member.slice(space + 1) };
}
