import { BestOf } from './best-of';

it('keeps the first of many, in order', () => {
  const best = new BestOf<number>(3, (a, b) => a - b);
  for (let i = 0; i < 5000; i += 1) best.add((i * 7919) % 5000);
  expect(best.sorted()).toEqual([0, 1, 2]);
});

it('equal things stay in the order in which they came', () => {
  const best = new BestOf<{ at: number; name: string }>(2, (a, b) => a.at - b.at);
  for (const name of ['a', 'b', 'c']) best.add({ at: 1, name });
  expect(best.sorted().map(({ name }) => name)).toEqual(['a', 'b']);
});
