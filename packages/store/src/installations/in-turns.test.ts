import { setImmediate as nextRound } from 'node:timers/promises';
import { compileCondition, parseWhere, type Condition, type JsonObject } from '@pushfleet/domain';
import { inTurns } from './in-turns';

/** Goes on only when work is done: what else the machine does meanwhile is no time of this process. */
let clock = 0;
const spin = (ms: number): void => void (clock += ms);
beforeEach(() => void jest.spyOn(performance, 'now').mockImplementation(() => clock));
afterEach(() => void jest.restoreAllMocks());

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

/** How often others get the process while something is done. */
async function roundsDuring(work: () => Promise<void>): Promise<number> {
  let [rounds, isOver] = [0, false];
  const counting = (async () => {
    for (; !isOver; rounds += 1) await nextRound();
  })();
  await work();
  isOver = true;
  await counting;
  return rounds;
}

test('a costly test over many items leaves room for others in between', async () => {
  const test = inTurns(costly(1, 30));
  const rounds = await roundsDuring(async () => {
    for (let i = 0; i < 5; i += 1) {
      expect(await test({})).toBe(true);
      spin(25);
    }
  });
  expect(rounds).toBeGreaterThanOrEqual(3);
});

test('a costly test leaves room within one document', async () => {
  const rounds = await roundsDuring(async () => {
    expect(await inTurns(costly(100, 5))({})).toBe(true);
  });
  expect(rounds).toBeGreaterThanOrEqual(95);
});

test('many costly tests at once take their turns one after the other', async () => {
  const rounds = await roundsDuring(async () => {
    await Promise.all(Array.from({ length: 16 }, () => inTurns(costly(10, 5))({})));
  });
  expect(rounds).toBeGreaterThanOrEqual(120);
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
