import { LIMITS, writeJson, type PushRecord } from '@pushfleet/domain';
import { SHARDS } from '../kit/shards';
import type { PushKeys } from './keys';
import { luaScript, nothing } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';
import type { NewPush, ScheduledPlace } from './new-push';
import { shardFor } from './place-pushes';
import { openPushIds } from './push-ids';
import { encodeText } from './push-text';
import type { PushRecords } from './records';

/** The pushes of each app that wait for their time; every one has a number, counted per app. */
export interface PushSchedule {
  /** Takes the places of a push before it is accepted; undefined, and takes none, when fewer are free. */
  take(push: NewPush, bounds: TakeBounds): Promise<ScheduledPlace | undefined>;
  /** Places that are taken by pushes whose time has not come. */
  count(app: string, now: number): Promise<number>;
  /** Gives the places of a push back when it was cancelled or not accepted. */
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

/** A place holds so many bytes of what Redis keeps of a push, so that few large pushes do not fill it. */
export function placesOf(push: NewPush): number {
  const texts = [encodeText({ createdAt: push.pushTime, ...push }), writeJson(push.audience), writeJson(push.where)];
  return Math.ceil(Buffer.byteLength(texts.join('')) / LIMITS.scheduledPlaceBytes.value);
}

const takePlaces = luaScript('pushes/take-places', {
  params: {
    schedule: 'key',
    further: 'key',
    counter: 'key',
    pushesOfApp: 'key',
    now: 'text',
    max: 'number',
    places: 'number',
    id: 'text',
    pushTime: 'text',
  },
  answer: Number,
});

const leavePlaces = luaScript('pushes/leave-places', {
  params: { schedule: 'key', further: 'key', number: 'text', id: 'text' },
  answer: nothing,
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
      const number = await takePlaces(redis, {
        schedule: keys.schedule(app),
        further: keys.furtherPlaces(app),
        counter: keys.scheduleCount(app),
        pushesOfApp: keys.pushesOf(app),
        now,
        max,
        places: placesOf(push),
        id: pushId,
        pushTime,
      });
      return number === 0 ? undefined : { number, pushId };
    },
    async count(app, now) {
      const waiting = (key: string) => redis.zcount(key, `(${now}`, '+inf');
      const [first, further] = await Promise.all([waiting(keys.schedule(app)), waiting(keys.furtherPlaces(app))]);
      return first + further;
    },
    leave: (app, { number, pushId }) =>
      leavePlaces(redis, { schedule: keys.schedule(app), further: keys.furtherPlaces(app), number, id: pushId }),
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
