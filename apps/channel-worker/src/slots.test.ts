import { openSlots } from './slots';

const settled = async (promises: readonly Promise<void>[]): Promise<readonly boolean[]> => {
  const states = promises.map(() => false);
  promises.forEach((promise, i) => void promise.then(() => (states[i] = true)));
  await new Promise(setImmediate);
  return states;
};

test('no more are taken than there are, and those who wait are served in their order', async () => {
  const slots = openSlots(2);
  const takes = [slots.take(), slots.take(), slots.take(), slots.take()];
  expect(await settled(takes)).toEqual([true, true, false, false]);
  slots.free();
  expect(await settled(takes)).toEqual([true, true, true, false]);
});

test('a try takes what is free and never waits', () => {
  const slots = openSlots(1);
  expect([slots.tryTake(), slots.tryTake()]).toEqual([true, false]);
  slots.free();
  expect(slots.tryTake()).toBe(true);
});

test('a freed slot goes to who waits, not to who tries', async () => {
  const slots = openSlots(1);
  await slots.take();
  const waiting = slots.take();
  slots.free();
  expect(slots.tryTake()).toBe(false);
  await waiting;
});

test('as many can be taken after any number of rounds as at the start', async () => {
  const slots = openSlots(3);
  for (let round = 0; round < 10; round += 1) {
    await Promise.all([slots.take(), slots.take(), slots.take()]);
    for (let i = 0; i < 3; i += 1) slots.free();
  }
  expect([slots.tryTake(), slots.tryTake(), slots.tryTake(), slots.tryTake()]).toEqual([true, true, true, false]);
});
