import { setTimeout } from 'node:timers/promises';
import { openShares } from './shares';

const takeAll = (shares: ReturnType<typeof openShares>, profile: string): number => {
  let taken = 0;
  while (shares.tryTake(profile)) taken += 1;
  return taken;
};

test('one profile alone has all of its own', () => {
  expect(takeAll(openShares(16), 'a')).toBe(16);
});

test('however many profiles are stuck, something is left for the next', () => {
  const shares = openShares(16);
  const taken = ['a', 'b', 'c', 'd', 'e'].map((profile) => takeAll(shares, profile));
  expect(taken).toEqual([16, 8, 4, 2, 1]);
});

test('whoever waits is served in the order of asking, as soon as his profile may have one', async () => {
  const shares = openShares(2);
  takeAll(shares, 'a');
  const order: string[] = [];
  const waits = ['first', 'second'].map((name) => shares.take('a').then((isTaken) => order.push(`${name} ${isTaken}`)));
  expect(await shares.take('b')).toBe(true);
  shares.free('a');
  shares.free('b');
  shares.free('a');
  await Promise.all(waits);
  expect(order).toEqual(['first true', 'second true']);
});

test('who waits for a profile that is stuck is sent away', async () => {
  const shares = openShares(1);
  takeAll(shares, 'a');
  expect(await shares.take('a')).toBe(false);
  shares.free('a');
  expect(await shares.take('a')).toBe(true);
});

test('who waits longer than it may is sent away, though others of the profile end', async () => {
  const shares = openShares(1);
  takeAll(shares, 'a');
  const oneByOne = Array.from({ length: 60 }, async () => {
    await shares.take('a');
    await setTimeout(20);
    shares.free('a');
  });
  const bounded = shares.take('a', 500);
  shares.free('a');
  expect(await bounded).toBe(false);
  await Promise.all(oneByOne);
});
