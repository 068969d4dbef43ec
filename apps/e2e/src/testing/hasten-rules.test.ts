import { hasten, hastenExpression } from './hasten-rules';

const hastened = (rule: object) =>
  hasten({ groups: [{ name: 'g', rules: [{ expr: 'up', ...rule }] }] }).groups[0]?.rules[0];

test('windows of an expression are shorter, and no other number is', () => {
  expect(hastenExpression('rate(a_5m[5m]) > 0.7 * max_over_time(b[10m])')).toBe(
    'rate(a_5m[10s]) > 0.7 * max_over_time(b[20s])',
  );
});

test('an alert waits for some seconds at most, and for as long as it says when that is shorter', () => {
  expect([hastened({ for: '30m' })?.for, hastened({ for: '1m' })?.for, hastened({})?.for]).toEqual([
    '3s',
    '2s',
    undefined,
  ]);
});

test('limits in seconds are shorter, and other limits stay', () => {
  const limitOf = (record: string, expr: string) => hastened({ record, expr })?.expr;
  expect(limitOf('a_limit_seconds', 'vector(60)')).toBe('vector(2)');
  expect(limitOf('b_limit_seconds', 'vector(1800)')).toBe('vector(4)');
  expect(limitOf('c_limit_ratio', 'vector(0.7)')).toBe('vector(0.7)');
});
