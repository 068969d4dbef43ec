import { fakeClock } from '@pushfleet/testing';
import { REMEMBERED_MS, rememberColumns } from './remember-columns';

test('a column is remembered for a while, and for no longer when the clock is set back', () => {
  const clock = fakeClock();
  const columns = rememberColumns(clock.now);
  columns.add('app', ['city']);
  clock.advance(REMEMBERED_MS - 1);
  expect(columns.without('app', ['city', 'level'])).toEqual(['level']);
  clock.advance(-2 * REMEMBERED_MS);
  expect(columns.has('app', 'city')).toBe(false);
});
