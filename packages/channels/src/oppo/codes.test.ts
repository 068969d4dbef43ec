import { DISCARD_POLICY } from '@pushfleet/domain';
import { CODES } from './codes';

it('every documented code has the words of the vendor and one meaning', () => {
  const documented = [
    ...['-1', '-2'],
    ...[11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34],
    ...[40, 41, 42, 51, 54, 55, 59, 67, 69, 10000, 10001, 10002, 10003],
  ];
  expect(Object.keys(CODES).sort()).toEqual(documented.map(String).sort());
  for (const row of Object.values(CODES)) expect(row.words).toMatch(/\S/);
});

it('only a dead registration is retired', () => {
  const retiring = Object.entries(CODES).filter(([, row]) => 'device' in row && DISCARD_POLICY[row.device].retires);
  expect(retiring.map(([code]) => code)).toEqual(['10000', '10001']);
});
