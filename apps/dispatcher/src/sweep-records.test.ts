import { sweepRecords } from './sweep-records';

const SHARDS = 256;

/** A store whose shard 7 has that many records too many. */
const storeWith = (tooMany: number) => {
  const calls: number[] = [];
  const trim = async (shard: number): Promise<number> => {
    calls.push(shard);
    return shard === 7 ? tooMany : 0;
  };
  return { store: { closed: { trim } }, calls };
};

test('every shard is brought to its size', async () => {
  const { store, calls } = storeWith(1200);
  const stopping = new AbortController().signal;
  expect(await sweepRecords({ store, stopping }, 1)).toBe(1200);
  expect(new Set(calls).size).toBe(SHARDS);
});

test('a process that stops sweeps no further', async () => {
  const { store, calls } = storeWith(1200);
  expect(await sweepRecords({ store, stopping: AbortSignal.abort() }, 1)).toBe(0);
  expect(calls).toEqual([]);
});
