import { untilHourInChina, untilMidnightInChina } from './china-day';

const at = (time: string): number => Date.parse(`2023-11-14T${time}+08:00`);
const MINUTE_MS = 60_000;

test.each([
  ['00:00:00.3', 1],
  ['00:09:59', 1],
  ['00:10:00', 24 * 60 - 10 + 1],
  ['23:59:00', 2],
])('at %s a day of the vendors is over in %d minutes, or soon', (time, minutes) => {
  expect(untilMidnightInChina(at(time))).toBe(minutes * MINUTE_MS);
});

test('an hour of the morning is waited for in the same way', () => {
  const seven = 7 * 60 * MINUTE_MS;
  expect(untilHourInChina(seven, at('06:00:00'))).toBe(61 * MINUTE_MS);
  expect(untilHourInChina(seven, at('07:00:00.3'))).toBe(MINUTE_MS);
  expect(untilHourInChina(seven, at('23:30:00'))).toBe((7 * 60 + 31) * MINUTE_MS);
});
