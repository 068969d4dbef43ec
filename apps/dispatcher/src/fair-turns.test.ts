import { openFairTurns } from './fair-turns';

/** Work of several owners, in the order in which it begins; none of it ends before `release`. */
function heldWork(atOnce: number) {
  const inTurn = openFairTurns(atOnce);
  const begun: string[] = [];
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const run = (owner: string, times = 1): Promise<void>[] =>
    Array.from({ length: times }, () =>
      inTurn(owner, async () => {
        begun.push(owner);
        await gate;
      }),
    );
  return { begun, run, release: () => release() };
}

test('one who comes behind a thousand of somebody else is next', async () => {
  const { begun, run, release } = heldWork(1);
  const all = [...run('storm', 1000), ...run('other'), ...run('third')];
  release();
  await Promise.all(all);
  expect(begun.slice(0, 5)).toEqual(['storm', 'storm', 'other', 'third', 'storm']);
  expect(begun).toHaveLength(1002);
});

test('no more is under way than there may be, and a failure gives its place away', async () => {
  const inTurn = openFairTurns(3);
  let running = 0;
  let most = 0;
  const run = (i: number) =>
    inTurn(`app${i % 5}`, async () => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      if (i % 2 === 0) throw new Error('failed');
      return i;
    });
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, (_, i) => run(i)));
  expect(most).toBe(3);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(25);
});

test('an owner leaves places to others however long its work takes', async () => {
  const { begun, run, release } = heldWork(4);
  const all = [...run('storm', 20), ...run('other'), ...run('third'), ...run('fourth')];
  await Promise.resolve();
  expect(begun).toEqual(['storm', 'storm', 'other', 'third']);
  release();
  await Promise.all(all);
  expect(begun).toHaveLength(23);
});
