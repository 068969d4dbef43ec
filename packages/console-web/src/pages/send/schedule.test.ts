import { isTooSoon } from './schedule';

const NOW = new Date('2026-11-27T12:00').getTime();

it.each([
  ['2020-01-01T09:00', true],
  ['2026-11-27T11:59', true],
  ['2026-11-27T12:00', true],
  ['2026-11-27T12:01', true],
  ['2026-11-27T12:02', false],
  ['2026-11-28T12:00', false],
  ['', false],
])('at noon %s is too soon for a push that is sent later: %s', (sendAt, is) => {
  expect(isTooSoon({ isLater: true, sendAt }, NOW)).toBe(is);
  expect(isTooSoon({ isLater: false, sendAt }, NOW)).toBe(false);
});
