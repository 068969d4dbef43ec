import { unique } from '@pushfleet/testing';
import { storeUnderTest } from '../testing/store-under-test';
import type { CallMinute } from './quotas';

const under = storeUnderTest();
const HOUR_MS = 3_600_000;

const aMinute = (): CallMinute => ({ app: unique('app'), by: 'app-key', perMinute: 2 });

/** Keys of Redis end at a time, so that all of them live longer by as much as its clock is set back. */
const setClockBack = ({ app, by }: CallMinute) => under.redis.pexpire(under.keys.callsOf(app, by), HOUR_MS);

describe('calls of a minute', () => {
  it('are granted as far as there are some, and a call too many closes the app for a minute', async () => {
    const minute = aMinute();
    expect(await under.store.quotas.takeCalls(minute, 5)).toMatchObject({ calls: 2 });
    expect(await under.store.quotas.takeCalls(minute, 1)).toEqual({ calls: 0, ms: 60_000 });
  });

  it('close the app for a minute at most when the clock of Redis is set back', async () => {
    const minute = aMinute();
    await under.store.quotas.takeCalls(minute, 2);
    await under.store.quotas.takeCalls(minute, 1);
    await setClockBack(minute);
    const { calls, ms } = await under.store.quotas.takeCalls(minute, 1);
    expect(calls).toBe(0);
    expect(ms).toBeLessThanOrEqual(60_000);
    expect(await under.redis.pttl(under.keys.callsOf(minute.app, minute.by))).toBeLessThanOrEqual(60_000);
  });

  it('are those of one minute when the clock of Redis is set back', async () => {
    const minute = aMinute();
    await under.store.quotas.takeCalls(minute, 1);
    await setClockBack(minute);
    const { calls, ms } = await under.store.quotas.takeCalls(minute, 1);
    expect(calls).toBe(1);
    expect(ms).toBeLessThanOrEqual(60_000);
  });
});
