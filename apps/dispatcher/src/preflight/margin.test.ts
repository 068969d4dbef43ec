import { seededRandom } from '@pushfleet/testing';
import { estimateOf, marginOf } from './margin';

test('whatever was looked at whole is exact', () => {
  expect(estimateOf({ found: 7, lookedAt: 9, of: 9, share: 1 })).toBe(7);
  expect(marginOf({ found: 7, lookedAt: 9, of: 9, share: 1 })).toBe(0);
});

test('nothing found does not mean that there is nothing', () => {
  const sample = { found: 0, lookedAt: 1000, of: 100_000, share: 0.01 };
  expect([estimateOf(sample), marginOf(sample) > 100]).toEqual([0, true]);
  expect(marginOf({ found: 0, lookedAt: 0, of: 50, share: 0.5 })).toBe(50);
});

/** Each device is in one of 256 shards, of which some are looked at. */
function missesOf(rate: number, isSizeKnown: boolean): number {
  const random = seededRandom(Math.round(rate * 1e6));
  const [size, shards, rounds] = [1000, 64, 100];
  let missed = 0;
  for (let round = 0; round < rounds; round += 1) {
    const seen = { found: 0, lookedAt: 0, true: 0 };
    for (let n = 0; n < size; n += 1) {
      const isFound = random.below(1_000_000) < rate * 1_000_000;
      const isSeen = random.below(256) < shards;
      seen.true += Number(isFound);
      seen.lookedAt += Number(isSeen);
      seen.found += Number(isFound && isSeen);
    }
    const sample = { ...seen, of: isSizeKnown ? size : undefined, share: shards / 256 };
    if (Math.abs(estimateOf(sample) - seen.true) > marginOf(sample)) missed += 1;
  }
  return missed / rounds;
}

test.each([0.001, 0.01, 0.1, 0.5, 0.97, 1])(
  'the bound holds in 95 of 100 samples where %d of the devices match',
  (rate) => {
    expect(missesOf(rate, true)).toBeLessThanOrEqual(0.05);
    expect(missesOf(rate, false)).toBeLessThanOrEqual(0.05);
  },
);
