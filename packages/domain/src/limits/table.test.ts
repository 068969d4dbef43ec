import { LIMIT_AREAS, LIMITS } from './table';

const rows = LIMIT_AREAS.flatMap(({ limits }) => Object.entries(limits));

test('every limit stands in one section of the document, under one name', () => {
  expect(rows.map(([name]) => name).sort()).toEqual(Object.keys(LIMITS).sort());
});

test.each(rows)('%s says in a sentence what it bounds, and what happens beyond it', (_name, limit) => {
  expect(limit.bounds).toMatch(/^\S.*\.$/);
  expect(limit.beyond ?? 'It is refused.').toMatch(/^[A-Z`].*\.$/);
  expect(limit.answer !== undefined || limit.beyond !== undefined).toBe(true);
});

test.each(rows)('%s has a value to compare with', (_name, { value }) => {
  expect(Number.isSafeInteger(value) && value >= 0).toBe(true);
});
