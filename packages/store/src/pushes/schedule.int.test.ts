import { LIMITS } from '@pushfleet/domain';
import { unique } from '@pushfleet/testing';
import { aPush } from '../testing/a-push';
import { storeUnderTest } from '../testing/store-under-test';
import type { NewPush, ScheduledPlace } from './new-push';
import { RECORD } from './record-fields';

const t = storeUnderTest();
let app: string;
const HOUR_MS = 3_600_000;
const PLACE_BYTES = 64 * 1024;

const count = () => t.store.schedule.count(app, t.clock.now());
const take = (push: NewPush, max = 10) => t.store.schedule.take(push, { max, now: t.clock.now() });
const listed = async (range = { limit: 100, skip: 0 }) =>
  (await t.store.schedule.list(app, range)).map(({ objectId }) => objectId);

const scheduled = (changes: Partial<NewPush> = {}): NewPush =>
  aPush(t, { app, isScheduled: true, pushTime: t.clock.now() + HOUR_MS, ...changes });

/** A push by the ids of 500 installations, which stand in the audience and in the condition of its record. */
function byIds(idLength: number, changes: Partial<NewPush> = {}): NewPush {
  const values = Array.from({ length: 500 }, (_, i) => String(i).padStart(idLength, 'x'));
  const audience = { addressed: { field: 'installationId', values } } as const;
  return scheduled({ audience, where: { installationId: { $in: values } }, ...changes });
}

/** The push waits in the schedule, as the ingress accepts one. */
async function accepted(push: NewPush, max = 10): Promise<ScheduledPlace> {
  const place = await take(push, max);
  if (!place) throw new Error('no place is free');
  await t.store.acceptPushes([{ ...push, place }]);
  return place;
}

beforeEach(() => {
  app = unique('app');
});

describe('places of the schedule', () => {
  it('a push of usual size takes one', async () => {
    for (let i = 0; i < 10; i += 1) expect(await take(scheduled())).toBeDefined();
    expect(await count()).toBe(10);
    expect(await take(scheduled())).toBeUndefined();
  });

  it('a large push takes one for every 65,536 bytes of what Redis keeps of it', async () => {
    const { pushId } = await accepted(byIds(500));
    const stored = await t.redis.hmget(t.keys.pushRecord(pushId), RECORD.push, RECORD.audience, RECORD.where);
    const bytes = Buffer.byteLength(stored.join(''));
    expect(bytes).toBeGreaterThan(500_000);
    expect(await count()).toBe(Math.ceil(bytes / PLACE_BYTES));
  });

  it('counts bytes, not characters', async () => {
    await accepted(scheduled({ where: { name: '华'.repeat(30_000) } }));
    expect(await count()).toBe(2);
  });

  it('is refused where fewer are free than it takes, and takes none then', async () => {
    await accepted(byIds(500));
    expect(await count()).toBe(8);
    expect(await take(byIds(100))).toBeDefined();
    expect(await take(byIds(500))).toBeUndefined();
    expect(await take(scheduled())).toBeUndefined();
    expect(await count()).toBe(10);
    expect(await t.redis.zcard(t.keys.schedule(app))).toBe(2);
  });

  it('of the largest pushes so many may wait as fill the places', async () => {
    const push = byIds(500);
    let taken = 0;
    while (await take(push, LIMITS.scheduledPushes.value)) taken += 1;
    expect(taken).toBe(125);
  });

  it('all of a large push come back when it leaves', async () => {
    const place = await accepted(byIds(500));
    await accepted(scheduled());
    await t.store.schedule.leave(app, place);
    expect(await count()).toBe(1);
    expect(await take(byIds(500))).toBeDefined();
  });

  it('all of a large push come back with its time', async () => {
    await accepted(byIds(500));
    t.clock.advance(HOUR_MS);
    expect(await count()).toBe(0);
    expect(await take(byIds(500))).toBeDefined();
    expect(await count()).toBe(8);
    expect(await t.redis.zcard(t.keys.furtherPlaces(app))).toBe(7);
  });

  it('a large push is listed and found once', async () => {
    const early = await accepted(scheduled({ pushTime: t.clock.now() + HOUR_MS - 1 }));
    const large = await accepted(byIds(400));
    const late = await accepted(scheduled({ pushTime: t.clock.now() + HOUR_MS + 1 }));
    expect(await listed()).toEqual([early, large, late].map(({ pushId }) => pushId));
    expect(await listed({ limit: 1, skip: 2 })).toEqual([late.pushId]);
    expect(await t.store.schedule.find(app, large.number)).toMatchObject({ objectId: large.pushId });
    expect(await t.store.schedule.find(app, 2 + large.number)).toBeUndefined();
  });

  it('processes of an earlier version count the pushes, and give one place back', async () => {
    const { number, pushId } = await accepted(byIds(500));
    expect(await t.redis.zrange(t.keys.schedule(app), '0', '-1')).toEqual([`${number} ${pushId}`]);
    await t.redis.zrem(t.keys.schedule(app), `${number} ${pushId}`);
    expect([await count(), await listed()]).toEqual([7, []]);
    t.clock.advance(HOUR_MS);
    expect(await take(scheduled())).toBeDefined();
    expect(await count()).toBe(1);
    expect(await t.redis.exists(t.keys.furtherPlaces(app))).toBe(0);
  });
});
