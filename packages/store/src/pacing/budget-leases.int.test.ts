import { setTimeout as delay } from 'node:timers/promises';
import { redisHarness, unique, until } from '@pushfleet/testing';
import { storeKeys } from '../store-keys';
import { openRedis, type RedisClient } from '../kit/redis';
import { openBudgetLeases, type BudgetLeases, type LeaseWish, type PacedRate } from './budget-leases';

const harness = redisHarness();
const keys = storeKeys(harness.namespace);
const leasers: BudgetLeases[] = [];
let redis: RedisClient;

beforeAll(async () => {
  while (leasers.length < 2) {
    redis = await openRedis({ url: harness.url, patience: 'wait', onError: () => undefined });
    const link = redis;
    harness.onClose(() => link.quit());
    leasers.push(openBudgetLeases({ redis, keys }));
  }
});

const aProfile = (): PacedRate => ({ kind: 'requests', app: unique('app'), channel: 'hms', profile: '_default' });

/** It was made between the question and the answer; how long these take is the machine's affair. A refusal has no units. */
interface Grant {
  readonly askedAt: number;
  readonly answeredAt: number;
  readonly units: number;
}

/** Takes whatever it can get for a while. */
async function takeAll(leaser: BudgetLeases | undefined, wish: LeaseWish, forMs: number): Promise<readonly Grant[]> {
  const grants: Grant[] = [];
  const end = performance.now() + forMs;
  while (leaser && performance.now() < end) {
    const askedAt = performance.now();
    const lease = await leaser.take(wish);
    grants.push({ askedAt, answeredAt: performance.now(), units: 'granted' in lease ? lease.granted : 0 });
    if ('waitMs' in lease) await delay(Math.min(lease.waitMs, 20));
  }
  return grants;
}

/** The most units that any window of this length saw for certain. */
function most(grants: readonly Grant[], windowMs: number): number {
  const sums = grants.map(({ askedAt: from }) =>
    total(grants.filter(({ askedAt, answeredAt }) => askedAt >= from && answeredAt < from + windowMs)),
  );
  return Math.max(0, ...sums);
}

/** The time in which somebody asked again and again: what is not asked for is nobody's. */
function askedForMs(grants: readonly Grant[]): number {
  const times = grants.map(({ askedAt }) => askedAt).sort((a, b) => a - b);
  return times.reduce((sum, at, i) => sum + Math.min(LONGEST_GAP_MS, at - (times[i - 1] ?? at)), 0);
}

/** Short beside the time that a portion takes to come. */
const LONGEST_GAP_MS = 25;

const total = (grants: readonly Grant[]): number => grants.reduce((sum, { units }) => sum + units, 0);

async function takenByBoth(wish: Omit<LeaseWish, 'rate'>, forMs = 2500): Promise<readonly Grant[]> {
  const rate = aProfile();
  const taken = await Promise.all(leasers.map((leaser) => takeAll(leaser, { ...wish, rate }, forMs)));
  return taken.flat();
}

describe('two leasers of one rate', () => {
  it.each([
    { perSecond: 200, want: 20, least: 1, queue: 'direct' as const },
    { perSecond: 5000, want: 500, least: 1, queue: 'direct' as const },
    { perSecond: 7, want: 1, least: 1, queue: 'direct' as const },
    { perSecond: 5000, want: 1000, least: 1000, queue: 'bulk' as const },
  ])('never get more than $perSecond in any second, in portions of $want', async (wish) => {
    const grants = await takenByBoth(wish);
    expect(most(grants, 1000)).toBeLessThanOrEqual(wish.perSecond);
    const share = wish.queue === 'direct' ? 1 : 0.9;
    expect(total(grants)).toBeGreaterThan(((wish.perSecond * share * askedForMs(grants)) / 1000) * 0.7);
  });

  it('get it spread over the second, not at once', async () => {
    const grants = await takenByBoth({ perSecond: 1000, want: 100, least: 1, queue: 'direct' }, 1500);
    expect(most(grants, 50)).toBeLessThanOrEqual(150);
  });
});

describe('a profile', () => {
  it('keeps a tenth of its rate for addressed pushes', async () => {
    const rate = aProfile();
    const [one, other] = leasers;
    const bulk = takeAll(one, { rate, perSecond: 1000, want: 100, least: 1, queue: 'bulk' }, 2000);
    await delay(300);
    const direct: number[] = [];
    while (direct.length < 100) {
      const lease = await other?.take({ rate, perSecond: 1000, want: 1, least: 1, queue: 'direct' });
      direct.push(lease && 'granted' in lease ? 0 : 1);
      await delay(14);
    }
    expect(most(await bulk, 1000)).toBeLessThanOrEqual(900);
    expect(direct.reduce((a, b) => a + b)).toBe(0);
  });

  it('pays off what is larger than its rate before it gets more', async () => {
    const wish = { rate: aProfile(), perSecond: 500, want: 1000, least: 1000, queue: 'bulk' } as const;
    const before = performance.now();
    expect(await leasers[0]?.take(wish)).toEqual({ granted: 1000 });
    const { waitMs } = (await leasers[1]?.take(wish)) as { waitMs: number };
    expect(performance.now() - before + waitMs).toBeGreaterThan(2000);
  });

  it('does not share its rate with another', async () => {
    const wish = { perSecond: 1, want: 1, least: 1, queue: 'bulk' } as const;
    const answers = await Promise.all([aProfile(), aProfile()].map((rate) => leasers[0]?.take({ ...wish, rate })));
    expect(answers).toEqual([{ granted: 1 }, { granted: 1 }]);
  });
});

it('a push is paced whatever queue it goes through', async () => {
  const rate = { kind: 'push', pushId: unique('push') } as const;
  const wish = { rate, perSecond: 1000, want: 1000, least: 1000 };
  const before = performance.now();
  expect(await leasers[0]?.take({ ...wish, queue: 'bulk' })).toEqual({ granted: 1000 });
  const later = (await leasers[1]?.take({ ...wish, queue: 'direct' })) as { waitMs: number };
  expect(performance.now() - before + later.waitMs).toBeGreaterThan(900);
});

describe('a clock of Redis that is set back', () => {
  const BACK_MS = 300_000;

  /** What stands in a rate, as the clock before wrote it. */
  async function setBack(key: string): Promise<void> {
    const fields = Object.entries(await redis.hgetall(key));
    const times = fields.map(([name, text]) => [name, text.replace(/[0-9.]+/g, (ms) => String(Number(ms) + BACK_MS))]);
    await redis.hset(key, Object.fromEntries(times) as Record<string, string>);
  }

  it('takes what is booked along, and no more is granted than before', async () => {
    const of = { app: unique('app'), channel: 'hms', profile: '_default' };
    const wish = { rate: { kind: 'requests', ...of }, perSecond: 500, want: 1000, least: 1000, queue: 'bulk' } as const;
    expect(await leasers[0]?.take(wish)).toEqual({ granted: 1000 });
    const before = (await leasers[0]?.take(wish)) as { waitMs: number };
    await setBack(keys.profilePace(of, 'requests'));
    const after = (await leasers[1]?.take(wish)) as { waitMs: number };
    expect(after.waitMs).toBeGreaterThan(before.waitMs - 1000);
    expect(after.waitMs).toBeLessThan(before.waitMs + 1000);
    const later = (await leasers[1]?.take(wish)) as { waitMs: number };
    expect(later.waitMs).toBeLessThanOrEqual(after.waitMs);
  });

  it('keeps the turns of the channels of a push', async () => {
    const push = { kind: 'push', pushId: unique('push') } as const;
    const wish = { perSecond: 1000, want: 500, least: 500, queue: 'bulk' } as const;
    const takeOn = (channel: string) => leasers[0]?.take({ ...wish, rate: { ...push, channel } });
    expect(await takeOn('mi')).toEqual({ granted: 500 });
    expect(await takeOn('vivo')).toHaveProperty('waitMs');
    await setBack(keys.pushPace(push.pushId));
    const { waitMs } = (await takeOn('vivo')) as { waitMs: number };
    expect(waitMs).toBeLessThan(2000);
    await delay(waitMs);
    expect(await takeOn('vivo')).toEqual({ granted: 500 });
  });
});

it('channels of one push that need much and little take turns', async () => {
  const rate = { kind: 'push', pushId: unique('push') } as const;
  const wish = { perSecond: 1000, queue: 'bulk' } as const;
  const granted = { mi: 0, vivo: 0 };
  const controller = new AbortController();
  const takeOn = async (leaser: BudgetLeases | undefined, channel: 'mi' | 'vivo', least: number): Promise<void> => {
    while (leaser && !controller.signal.aborted) {
      const lease = await leaser.take({ ...wish, rate: { ...rate, channel }, want: least, least });
      if ('granted' in lease) granted[channel] += 1;
      else await delay(lease.waitMs);
    }
  };
  const small = takeOn(leasers[0], 'vivo', 20);
  await until(() => granted.vivo > 5);
  const large = takeOn(leasers[1], 'mi', 1000);
  await until(() => granted.mi === 2);
  const before = granted.vivo;
  await until(() => granted.vivo > before);
  controller.abort();
  await Promise.all([small, large]);
});
