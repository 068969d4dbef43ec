import { sendCalls, type PageCalls } from './page-calls';
import type { BatchResult, Retry, Verdict } from './verdict';

const ACCEPTED: Verdict = { kind: 'accepted' };
const RETRY: Retry = { pause: 'backoff', retryAfterMs: undefined, booksAs: 'unreachable', words: {} };
const devices = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const accept = async (some: readonly number[]): Promise<BatchResult> => ({ verdicts: some.map(() => ACCEPTED) });

async function send(wish: Partial<PageCalls<number>>) {
  const calls: (readonly number[])[] = [];
  let underWay = 0;
  let most = 0;
  const result = await sendCalls({
    ...{ devices: devices(10), maxBatch: 3, width: 2, first: 0, hold: () => undefined },
    ...{ begin: async () => undefined, end: () => undefined },
    ...wish,
    async send(some) {
      calls.push(some);
      most = Math.max(most, (underWay += 1));
      await new Promise(setImmediate);
      const answer = await (wish.send ?? accept)(some);
      underWay -= 1;
      return answer;
    },
  });
  return { result, calls, most };
}

test('every device is in one call of the size of the vendor, and verdicts keep their order', async () => {
  const { result, calls, most } = await send({
    send: async (some) => ({ verdicts: some.map((n) => ({ ...ACCEPTED, vendorMessageId: String(n) })) }),
  });
  expect(calls).toEqual([[0, 1, 2], [3, 4, 5], [6, 7, 8], [9]]);
  expect(result.verdicts.map((verdict) => verdict && 'vendorMessageId' in verdict && verdict.vendorMessageId)).toEqual(
    devices(10).map(String),
  );
  expect([result.retry, most]).toEqual([undefined, 2]);
});

test('after a call that has to be repeated none begins, and those under way keep their verdicts', async () => {
  const { result, calls } = await send({
    send: async (some) => (some.includes(0) ? { retry: RETRY } : accept(some)),
  });
  expect(calls).toHaveLength(2);
  expect(result.verdicts.map((verdict) => verdict?.kind)).toEqual([
    ...[undefined, undefined, undefined, 'accepted', 'accepted', 'accepted'],
    ...[undefined, undefined, undefined, undefined],
  ]);
  expect(result.retry).toBe(RETRY);
});

test('a call that may have been taken is remembered beside one that was not', async () => {
  const { result } = await send({
    send: async (some) => ({ retry: some.includes(0) ? RETRY : { ...RETRY, isUnknown: true } }),
  });
  expect([result.retry, result.called]).toEqual([{ ...RETRY, isUnknown: true }, 6]);
});

test('a hold that comes up in the middle leaves the rest alone', async () => {
  let sent = 0;
  const { result, calls } = await send({
    width: 1,
    send: (some) => accept(some).finally(() => (sent += 1)),
    hold: () => (sent > 1 ? RETRY : undefined),
  });
  expect(calls).toHaveLength(2);
  expect(result.verdicts.filter((verdict) => verdict === undefined)).toHaveLength(4);
});

describe('a probe', () => {
  test('is one device, and the others go when it is answered', async () => {
    const { calls } = await send({ first: 1 });
    expect(calls.map(({ length }) => length)).toEqual([1, 3, 3, 3]);
  });

  test('keeps the others back when it is not', async () => {
    const { result, calls } = await send({ first: 1, send: async () => ({ retry: RETRY }) });
    expect([calls, result.retry]).toEqual([[[0]], RETRY]);
  });
});

test('a call that waits for room does not begin any more when another has to be repeated', async () => {
  let room = 1;
  const begin = async (): Promise<void> => {
    while (room === 0) await new Promise(setImmediate);
    room -= 1;
  };
  const end = (): void => void (room += 1);
  const { calls } = await send({ width: 4, begin, end, send: async () => ({ retry: RETRY }) });
  expect(calls).toHaveLength(1);
});

test('credentials that are refused once are refused for everybody', async () => {
  const refused: Verdict = { kind: 'discarded', reason: 'credentials-rejected' };
  const { result, calls } = await send({ width: 1, send: async (some) => ({ verdicts: some.map(() => refused) }) });
  expect(calls).toHaveLength(1);
  expect(result).toEqual({ verdicts: devices(10).map(() => refused) });
});
