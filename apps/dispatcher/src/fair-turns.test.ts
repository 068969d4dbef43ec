import { openFairTurns } from './fair-turns';

const released = (): { readonly promise: Promise<void>; release(): void } => {
  let release = (): void => undefined;
  const promise = new Promise<void>((resolve) => (release = resolve));
  return { promise, release: () => release() };
};

test('one who comes behind a thousand of somebody else is next', async () => {
  const inTurn = openFairTurns(1);
  const gate = released();
  const order: string[] = [];
  const run = (owner: string) =>
    inTurn(owner, async () => {
      await gate.promise;
      order.push(owner);
    });
  const all = [...Array.from({ length: 1000 }, () => run('storm')), run('other'), run('third')];
  gate.release();
  await Promise.all(all);
  expect(order.slice(0, 5)).toEqual(['storm', 'storm', 'other', 'third', 'storm']);
  expect(order).toHaveLength(1002);
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
  const inTurn = openFairTurns(4);
  const gate = released();
  const begun: string[] = [];
  const run = (owner: string) =>
    inTurn(owner, async () => {
      begun.push(owner);
      await gate.promise;
    });
  const slow = Array.from({ length: 20 }, () => run('storm'));
  const others = [run('other'), run('third'), run('fourth')];
  await Promise.resolve();
  expect(begun).toEqual(['storm', 'storm', 'other', 'third']);
  gate.release();
  await Promise.all([...slow, ...others]);
  expect(begun).toHaveLength(23);
});
