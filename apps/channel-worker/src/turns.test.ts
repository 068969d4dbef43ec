import { setImmediate as nextRound } from 'node:timers/promises';
import { openTurns } from './turns';

test('one caller a round, in the order of asking', async () => {
  const turn = openTurns();
  const served: number[] = [];
  const all = [1, 2, 3].map((n) => turn().then(() => served.push(n)));
  const seen: number[][] = [];
  for (let round = 0; round < 3; round += 1) {
    await nextRound();
    seen.push([...served]);
  }
  await Promise.all(all);
  expect([seen[0]?.length, served]).toEqual([1, [1, 2, 3]]);
});

test('after a rest the next caller is served as the first was', async () => {
  const turn = openTurns();
  await turn();
  await turn();
  await expect(Promise.all([turn(), turn()])).resolves.toHaveLength(2);
});
