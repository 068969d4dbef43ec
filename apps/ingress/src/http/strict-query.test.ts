import { instantIn } from './strict-query';

test.each<readonly [string, number]>([
  ['1767261600000', 1767261600000],
  ['2026-01-01', Date.UTC(2026, 0, 1)],
  ['2026-01-01T10:00:00.5Z', Date.UTC(2026, 0, 1, 10, 0, 0, 500)],
  ['2026-01-01T10:00:00+08:00', Date.UTC(2026, 0, 1, 2)],
  ['2026-01-01T10:00:00', Date.UTC(2026, 0, 1, 10)],
  ...['yesterday', '1 Jan 2026', '2026-13-01', '9'.repeat(16), ''].map((text) => [text, NaN] as const),
])('%s is an instant, in UTC where it names no zone', (text, at) => {
  expect(instantIn(text)).toBe(at);
});
