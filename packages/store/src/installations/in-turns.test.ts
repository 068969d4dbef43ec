import { inTurns } from './in-turns';

const spin = (ms: number): void => {
  const endsAt = performance.now() + ms;
  while (performance.now() < endsAt);
};

test('a costly test over many items leaves room for timers in between', async () => {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 1);
  const test = inTurns(() => {
    spin(30);
    return true;
  });
  for (let i = 0; i < 5; i += 1) expect(await test(i)).toBe(true);
  clearInterval(timer);
  expect(ticks).toBeGreaterThanOrEqual(3);
});

test('a cheap test costs no turn', () => {
  const test = inTurns((n: number) => n > 1);
  expect([1, 2, 3].map((n) => test(n))).toEqual([false, true, true]);
});
