import { FAKE_START_MS, fakeClock } from './fake-clock';

it('time passes only when it is told to', () => {
  const { now, advance, set } = fakeClock();
  expect(now()).toBe(FAKE_START_MS);
  advance(1500);
  expect(now()).toBe(FAKE_START_MS + 1500);
  set(5);
  expect(now()).toBe(5);
});
