import { DISCARD_POLICY } from '@pushfleet/domain';
import { CODES } from './codes';

const range = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i);

it('every documented code has words and one meaning', () => {
  const documented = [
    ...[10000, 10043, 10045, 10050, 10051, ...range(10054, 10073), 10082, ...range(10093, 10097), 10103, 10104],
    ...[
      ...range(10150, 10155),
      ...range(10200, 10207),
      10250,
      10252,
      10254,
      10301,
      10302,
      ...range(10304, 10306),
      10311,
    ],
    ...[10352, 10353, 10471, 10473, ...range(10601, 10616), 10800, 10801, 11000],
  ];
  expect(Object.keys(CODES).map(Number).sort()).toEqual(documented.sort());
  for (const row of Object.values(CODES)) expect(row.words).toMatch(/\S/);
});

it('only a dead registration is retired', () => {
  const retiring = Object.entries(CODES).filter(([, row]) => 'device' in row && DISCARD_POLICY[row.device].retires);
  expect(retiring.map(([code]) => code)).toEqual(['10302']);
});
