import { medianOf, percentile, requireFigures, timed } from './benchmark';

const figures = { ratio: 0.5, value: 1, baseline: 2, config: {} };

it('figures that were measured stand', () => {
  expect(() => requireFigures(figures)).not.toThrow();
});

it.each([
  { value: NaN },
  { ratio: Infinity },
  { baseline: 0 },
  // A process whose memory shrank while it took connections.
  { value: -1, ratio: -2 },
])('%j is no figure', (figure) => {
  expect(() => requireFigures({ ...figures, ...figure })).toThrow('nothing was measured');
});

it('every task runs once, whatever the bound', async () => {
  const done: number[] = [];
  await timed(5, 3, (i) => Promise.resolve(done.push(i)));
  expect(done.sort()).toEqual([0, 1, 2, 3, 4]);
});

it('a median and a percentile are figures that were measured', () => {
  expect(medianOf([3, 1, 2])).toBe(2);
  expect([0, 0.5, 0.99, 1].map((share) => percentile([1, 2, 3, 4], share))).toEqual([1, 3, 4, 4]);
  expect(medianOf([])).toBeNaN();
});
