import { mergeMessages, newTally, sumOf, tallyLine } from './tally';

test('processes are added up', () => {
  const one = { ...newTally(), connected: 2, received: 5 };
  const other = { ...newTally(), connected: 3, duplicates: 1 };
  expect(sumOf([one, other])).toEqual({ ...newTally(), connected: 5, received: 5, duplicates: 1 });
  expect(
    mergeMessages([{ a: { received: 1, acked: 0 } }, { a: { received: 2, acked: 2 }, b: { received: 1, acked: 1 } }]),
  ).toEqual({
    a: { received: 3, acked: 2 },
    b: { received: 1, acked: 1 },
  });
});

test('a line of counts names each', () => {
  expect(tallyLine({ ...newTally(), connected: 7, acked: 3 })).toBe(
    'connected 7  received 0  acked 3  duplicates 0  reconnects 0  failures 0',
  );
});
