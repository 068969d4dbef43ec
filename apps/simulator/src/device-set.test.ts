import { hashPair, HashSet, hashText } from './device-set';

describe('HashSet', () => {
  it('knows what it holds while it grows', () => {
    const set = new HashSet();
    const hashes = Array.from({ length: 50_000 }, (_, i) => hashText(`device-${i}`));
    expect(hashes.every((hash) => set.add(hash))).toBe(true);
    expect(hashes.some((hash) => set.add(hash))).toBe(false);
    expect(set.size).toBe(50_000);
  });

  it('holds 0 like any other hash', () => {
    const set = new HashSet();
    expect([set.add(0), set.add(0), set.size]).toEqual([true, false, 1]);
  });

  it('is empty once cleared', () => {
    const set = new HashSet();
    set.add(5);
    set.clear();
    expect([set.size, set.add(5)]).toEqual([0, true]);
  });
});

describe('hashText and hashPair', () => {
  const COUNT = 60_000;

  it('tell similar addresses apart, and pairs of similar addresses', () => {
    const texts = new Set<number>();
    const pairs = new Set<number>();
    const pushes = [hashText('push-a'), hashText('push-b')];
    for (let i = 0; i < COUNT; i += 1) {
      const device = hashText(String(i).padStart(32, '0'));
      texts.add(device);
      for (const push of pushes) pairs.add(hashPair(push, device));
    }
    expect(texts.size).toBe(COUNT);
    expect(pairs.size).toBe(2 * COUNT);
  });

  it('spread over the low bits that choose a slot', () => {
    const slots = new Set<number>();
    for (let i = 0; i < 4_096; i += 1) slots.add(hashPair(7, hashText(`id${i}`)) & 4_095);
    // Random choice fills 63 % of the slots.
    expect(slots.size).toBeGreaterThan(0.58 * 4_096);
  });

  it('stay within the integers that a number can hold', () => {
    for (let i = 0; i < 1_000; i += 1) {
      const hash = hashPair(hashText(`p${i}`), hashText(`d${i}`));
      expect(Number.isSafeInteger(hash) && hash >= 0).toBe(true);
    }
  });
});
