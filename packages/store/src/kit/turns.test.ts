import { setImmediate as nextRound } from 'node:timers/promises';
import { openRoundLimit, openTurns, type NextTurn } from './turns';

/** How many are served by the end of each of some rounds, of `callers` that ask at once. */
async function servedByRound(turn: () => Promise<void> | undefined, callers: number, rounds: number) {
  const served: number[] = [];
  const all = Array.from({ length: callers }, async (_, n) => {
    await turn();
    served.push(n);
  });
  const seen: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await nextRound();
    seen.push(served.length);
  }
  await Promise.all(all);
  expect(served).toEqual(Array.from({ length: callers }, (_, n) => n));
  return seen;
}

/** A clock by which each look comes so many milliseconds after the one before. */
function turnsInRoundsOf(ms: number, times?: { ownMs: number }): NextTurn {
  let at = 0;
  return openTurns({ ...times, now: () => (at += ms) });
}

test('one caller a round, in the order of asking', async () => {
  expect(await servedByRound(turnsInRoundsOf(1), 3, 1)).toEqual([1]);
});

test('callers get a part of the time of long rounds', async () => {
  const [first] = await servedByRound(turnsInRoundsOf(40), 25, 1);
  expect(first).toBe(10);
});

test('what callers take of a round lets nobody else go on', async () => {
  expect(await servedByRound(turnsInRoundsOf(40, { ownMs: 4 }), 40, 3)).toEqual([10, 11, 20]);
});

test('after a rest the next caller is served as the first was', async () => {
  const turn = openTurns();
  await turn();
  await turn();
  await expect(Promise.all([turn(), turn()])).resolves.toHaveLength(2);
});

test('no more than some begin in a round, the first of them at once', async () => {
  const begins = openRoundLimit(2);
  expect([begins(), begins()]).toEqual([undefined, undefined]);
  const later = begins();
  expect(later).toBeInstanceOf(Promise);
  await later;
  expect(await servedByRound(openRoundLimit(2), 5, 1)).toEqual([4]);
});

test('after rounds without any they begin at once again', async () => {
  const begins = openRoundLimit(1);
  await Promise.all([begins(), begins()]);
  await nextRound();
  await nextRound();
  await nextRound();
  expect(begins()).toBeUndefined();
});
