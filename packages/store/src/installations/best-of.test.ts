import { seededRandom } from '@pushfleet/testing';
import { BestOf } from './best-of';

it('keeps the first of many, in order', () => {
  const best = new BestOf<number>(3, (a, b) => a - b);
  for (let i = 0; i < 5000; i += 1) best.add((i * 7919) % 5000);
  expect(best.takeFrom(0)).toEqual([0, 1, 2]);
});

it('equal things stay in the order in which they came', () => {
  const best = new BestOf<{ at: number; name: string }>(2, (a, b) => a.at - b.at);
  for (const name of ['a', 'b', 'c']) best.add({ at: 1, name });
  expect(best.takeFrom(0).map(({ name }) => name)).toEqual(['a', 'b']);
});

const SEED = 7;

it(`a part of any list is what sorting it gives (seed ${SEED})`, () => {
  const random = seededRandom(SEED);
  for (let round = 0; round < 300; round += 1) {
    const all = Array.from({ length: random.below(60) }, (_, i) => ({ key: random.below(20), i }));
    const [skip, limit] = [random.below(30), random.below(10)];
    const best = new BestOf<(typeof all)[number]>(skip + limit, (a, b) => a.key - b.key);
    for (const one of all) best.add(one);
    expect(best.takeFrom(skip)).toEqual([...all].sort((a, b) => a.key - b.key).slice(skip, skip + limit));
  }
});

it('no step compares more often than a heap of that size is high', () => {
  const COUNT = 100_000;
  let compared = 0;
  let most = 0;
  const best = new BestOf<number>(COUNT, (a, b) => ((compared += 1), a - b));
  for (let i = 0; i < 2 * COUNT; i += 1) {
    compared = 0;
    best.add((i * 7919) % (2 * COUNT));
    most = Math.max(most, compared);
  }
  expect(most).toBeLessThan(3 * Math.ceil(Math.log2(COUNT)));
  compared = 0;
  expect(best.takeFrom(COUNT - 100)).toEqual(Array.from({ length: 100 }, (_, i) => COUNT - 100 + i));
  expect(compared).toBeLessThan(100 * 3 * Math.ceil(Math.log2(COUNT)));
});
