import { midnightOf } from './midnight-of';

it('a day begins at midnight of here', () => {
  expect(midnightOf('2026-01-31')).toEqual(new Date(2026, 0, 31));
  expect(midnightOf(' 2028-02-29 ')).toEqual(new Date(2028, 1, 29));
});

it.each(['', '2026-02-30', '2026-13-01', '2026-1-1', '2026-01-31T00:00', '2026-01-31T00:00Z', 'yesterday'])(
  '"%s" is no day',
  (text) => expect(midnightOf(text)).toBeUndefined(),
);
