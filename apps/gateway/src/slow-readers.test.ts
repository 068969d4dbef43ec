import { readersToDrop } from './slow-readers';

const reader = (address: string, bufferedBytes: number) => ({ address, bufferedBytes });

test('of an address for which too much waits, those go for which most does, until the rest is within it', () => {
  const [few, some, most] = [reader('a', 10), reader('a', 40), reader('a', 60)];
  expect(readersToDrop([most, few, some], 110)).toEqual([]);
  expect(readersToDrop([most, few, some], 109)).toEqual([most]);
  expect(readersToDrop([most, few, some], 49)).toEqual([some, most]);
});

test('what waits for others of its address counts, and for no other', () => {
  const crowd = Array.from({ length: 1000 }, () => reader('crowd', 1000));
  const alone = reader('alone', 90_000);
  expect(readersToDrop([alone, ...crowd], 100_000)).toHaveLength(900);
  expect(readersToDrop([alone, ...crowd], 100_000)).not.toContain(alone);
});

test('0 is no limit', () => {
  expect(readersToDrop([reader('a', 1e9)], 0)).toEqual([]);
});
