import { LocalLease } from './local-lease';

const NOW = 1_000_000;

function leaseOf(units: number): LocalLease {
  const lease = new LocalLease();
  lease.granted(units, NOW);
  return lease;
}

it('covers calls without asking until it is used up', () => {
  const lease = leaseOf(3);
  expect([1, 2, 3, 4].map(() => lease.take(1, NOW + 5))).toEqual([true, true, true, false]);
});

it('is given up after 100 ms', () => {
  const lease = leaseOf(3);
  expect(lease.take(1, NOW + 99)).toBe(true);
  expect(lease.take(1, NOW + 100)).toBe(false);
});

it('adds what is left to the next one while it holds, and not after', () => {
  const early = leaseOf(3);
  early.granted(2, NOW + 50);
  expect([early.take(5, NOW + 60), early.take(1, NOW + 60)]).toEqual([true, false]);
  const late = leaseOf(3);
  late.granted(2, NOW + 100);
  expect([late.take(3, NOW + 101), late.take(2, NOW + 101)]).toEqual([false, true]);
});

it('takes back what was not used', () => {
  const lease = leaseOf(1);
  lease.take(1, NOW);
  lease.refund(1);
  expect(lease.take(1, NOW)).toBe(true);
  expect(lease.takeUsed()).toBe(1);
});

describe('what it asks the store for', () => {
  it('is what is needed now when nothing was of late', () => {
    const lease = new LocalLease();
    lease.expect(1, NOW);
    expect(lease.want(1)).toBe(1);
  });

  it('is what the last 100 ms needed while they are recent', () => {
    const lease = new LocalLease();
    for (let i = 0; i < 40; i += 1) lease.expect(1, NOW + i);
    lease.expect(1, NOW + 120);
    expect(lease.want(1)).toBe(40);
    lease.expect(1, NOW + 400);
    expect(lease.want(1)).toBe(1);
  });
});

describe('a refusal', () => {
  it('spares the store further questions until it may change its mind', () => {
    const lease = new LocalLease();
    lease.refused(10, 80, NOW);
    expect([lease.refusedMs(10, NOW + 30), lease.refusedMs(10, NOW + 80)]).toEqual([50, 0]);
  });

  it('says nothing about less', () => {
    const lease = new LocalLease();
    lease.refused(1000, 80, NOW);
    expect([lease.refusedMs(999, NOW), lease.refusedMs(2000, NOW)]).toEqual([0, 80]);
  });
});

it('is idle after ten seconds without a question', () => {
  const lease = new LocalLease();
  lease.expect(1, NOW);
  expect([lease.isIdle(NOW + 10_000), lease.isIdle(NOW + 10_001)]).toEqual([false, true]);
});
