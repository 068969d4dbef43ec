import { sinceMidnightInChina, untilMidnightInChina } from './china-day';

test('a day ends at midnight in China', () => {
  expect(untilMidnightInChina(Date.parse('2023-11-14T15:59:00Z'))).toBe(60_000);
  expect(untilMidnightInChina(Date.parse('2023-11-14T16:00:00Z'))).toBe(86_400_000);
  expect(sinceMidnightInChina(Date.parse('2023-11-14T23:00:00Z'))).toBe(7 * 3_600_000);
});
