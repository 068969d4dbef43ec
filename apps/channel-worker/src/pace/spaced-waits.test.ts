import { SpacedWaits } from './spaced-waits';

const wish = { leastMs: 50, stepMs: 20 };

it('those that wait for the same thing come back one after the other', () => {
  const waits = new SpacedWaits(10_000);
  expect(['a', 'b', 'c'].map((waiter) => waits.next(1000, { ...wish, waiter }))).toEqual([50, 70, 90]);
});

it('one that waits with many things comes back once, and takes no place of others', () => {
  const waits = new SpacedWaits(10_000);
  expect(['a', 'a', 'a', 'b'].map((waiter) => waits.next(1000, { ...wish, waiter }))).toEqual([50, 50, 50, 70]);
  expect(waits.next(1050, { ...wish, waiter: 'a' })).toBe(50);
});

it('nobody waits because of those long gone', () => {
  const waits = new SpacedWaits(10_000);
  waits.next(1000, { ...wish, waiter: 'a' });
  expect(waits.next(5000, { ...wish, waiter: 'a' })).toBe(50);
});

it('nobody waits longer than the bound, unless it is known that it takes longer', () => {
  const waits = new SpacedWaits(100);
  const crowd = Array.from({ length: 20 }, (_, i) => waits.next(0, { ...wish, waiter: `w${i}` }));
  expect(Math.max(...crowd)).toBe(100);
  expect(waits.next(0, { ...wish, leastMs: 5000, waiter: 'late' })).toBe(5000);
});

it('whoever waits longer goes first, however often all of them come back before what they wait for ends', () => {
  const waits = new SpacedWaits(10_000);
  const crowd = Array.from({ length: 200 }, (_, i) => `w${i}`);
  const due = crowd.map((waiter, i) => ({ waiter, at: i + waits.next(i, { ...wish, waiter }) }));
  const seen: string[] = [];
  while (seen.length < 5 * crowd.length) {
    const [first] = due.sort((a, b) => a.at - b.at);
    if (!first) break;
    seen.push(first.waiter);
    first.at += waits.next(first.at, { ...wish, waiter: first.waiter });
  }
  expect(seen).toEqual(Array.from({ length: 5 }, () => crowd).flat());
});

it('many that wait are gone through now and then, not whenever one more comes', () => {
  const waits = new SpacedWaits(1_000_000_000);
  const dueAt = (waits as unknown as { dueAt: Map<string, number> }).dueAt;
  let looks = 0;
  const entries = dueAt[Symbol.iterator].bind(dueAt);
  dueAt[Symbol.iterator] = () => {
    looks += 1;
    return entries();
  };
  for (let i = 0; i < 60_000; i += 1) waits.next(0, { ...wish, waiter: `w${i}` });
  expect(looks).toBeLessThan(10);
  waits.next(2_000_000_000, { ...wish, waiter: 'late' });
  for (let i = 0; i < 70_000; i += 1) waits.next(2_000_000_000, { ...wish, waiter: `v${i}` });
  expect(dueAt.size).toBeLessThanOrEqual(70_001);
});

it('does not wait for as long as the clock was set back', () => {
  const waits = new SpacedWaits(10_000);
  waits.next(3_600_000, { waiter: 'a', leastMs: 50, stepMs: 2 });
  expect(waits.next(0, { waiter: 'a', leastMs: 50, stepMs: 2 })).toBeLessThanOrEqual(10_000);
});
