import { compileCondition, parseWhere, type Condition, type JsonObject } from '@pushfleet/domain';
import { inTurns } from './in-turns';

const spin = (ms: number): void => {
  const endsAt = performance.now() + ms;
  while (performance.now() < endsAt);
};

/** A condition of some parts, each of which takes so long. */
const costly = (parts: number, ms: number): Condition => ({
  parts,
  matches: () => true,
  *steps() {
    for (let i = 0; i < parts; i += 1) {
      yield;
      spin(ms);
    }
    return true;
  },
});

async function ticksDuring(work: () => Promise<void>): Promise<number> {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 1);
  await work();
  clearInterval(timer);
  return ticks;
}

test('a costly test over many items leaves room for timers in between', async () => {
  const test = inTurns(costly(1, 30));
  const ticks = await ticksDuring(async () => {
    for (let i = 0; i < 5; i += 1) {
      expect(await test({})).toBe(true);
      spin(25);
    }
  });
  expect(ticks).toBeGreaterThanOrEqual(3);
});

test('a costly test leaves room within one document', async () => {
  const ticks = await ticksDuring(async () => {
    expect(await inTurns(costly(100, 5))({})).toBe(true);
  });
  expect(ticks).toBeGreaterThanOrEqual(10);
});

test('many costly tests at once take their turns one after the other', async () => {
  const ticks = await ticksDuring(async () => {
    await Promise.all(Array.from({ length: 16 }, () => inTurns(costly(10, 5))({})));
  });
  expect(ticks).toBeGreaterThanOrEqual(80);
});

test('a cheap test costs no turn', () => {
  const test = inTurns(compileCondition(parseWhere({ n: { $gt: 1 } })));
  expect([1, 2, 3].map((n) => test({ n }))).toEqual([false, true, true]);
});

test('a test ends when its caller has gone', async () => {
  const gone = new AbortController();
  const answer = inTurns(costly(1000, 5), gone.signal)({});
  gone.abort();
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
});

test('in steps a condition says what it says at once', async () => {
  const branches: JsonObject[] = Array.from({ length: 10 }, (_, i) => ({ n: i, m: { $in: [i, i + 1] } }));
  const condition = compileCondition(parseWhere({ $or: branches, o: { $ne: 3 } }));
  const test = inTurns(condition);
  for (let n = 0; n < 12; n += 1) {
    const docs: JsonObject[] = [
      { n, m: n },
      { n, m: n + 2 },
      { n, m: n + 1, o: 3 },
    ];
    for (const doc of docs) expect(await test(doc)).toBe(condition.matches(doc));
  }
});
