import { setImmediate as nextRound } from 'node:timers/promises';
import { Rounds } from './rounds';

/** Goes on only when work is done: what else the machine does meanwhile is no time of this process. */
let clock = 0;
const compute = (ms: number): void => void (clock += ms);
beforeEach(() => void jest.spyOn(performance, 'now').mockImplementation(() => clock));
afterEach(() => void jest.restoreAllMocks());

/** In which round of the event loop each of some works ran. */
async function roundsOf(works: readonly (() => void)[]): Promise<readonly number[]> {
  const rounds = new Rounds();
  let round = 0;
  let isOver = false;
  const counting = (async () => {
    while (!isOver) {
      await nextRound();
      round += 1;
    }
  })();
  const ran = await Promise.all(works.map((work) => rounds.spend(() => (work(), round))));
  isOver = true;
  await counting;
  return ran;
}

it('does what is short in one round', async () => {
  const ran = await roundsOf(Array.from({ length: 5 }, () => () => undefined));
  expect(new Set(ran).size).toBe(1);
});

it('leaves what is long to rounds of its own, in the order of asking', async () => {
  const ran = await roundsOf(Array.from({ length: 5 }, () => () => compute(6)));
  expect(new Set(ran).size).toBe(5);
  expect(ran).toEqual([...ran].sort((a, b) => a - b));
});

it('goes on after work that failed', async () => {
  const rounds = new Rounds();
  const fail = (): never => {
    compute(6);
    throw new Error('no');
  };
  await expect(rounds.spend(fail)).rejects.toThrow('no');
  await expect(rounds.spend(() => 'done')).resolves.toBe('done');
});

it('whoever asks again and again keeps nobody waiting', async () => {
  const rounds = new Rounds();
  let done = 0;
  const greedy = async (): Promise<void> => {
    for (; done < 20; done += 1) await rounds.spend(() => compute(6));
  };
  const all = greedy();
  for (let round = 0; round < 3; round += 1) await nextRound();
  const before = done;
  expect(before).toBeLessThan(10);
  await rounds.spend(() => undefined);
  expect(done - before).toBeLessThanOrEqual(2);
  await all;
});
