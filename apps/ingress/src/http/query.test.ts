import { queryOf, rangeOf, wantsDocument, whereOf } from './query';

const query = (text: string): URLSearchParams => queryOf({ url: `/1.1/installations${text}` });

it.each([
  ['', { limit: 100, skip: 0, count: false }],
  ['?', { limit: 100, skip: 0, count: false }],
  ['?limit=7&skip=3', { limit: 7, skip: 3, count: false }],
  ['?limit=1000', { limit: 1000, skip: 0, count: false }],
  ['?limit=1001', { limit: 100, skip: 0, count: false }],
  ['?limit=-1&skip=-1', { limit: 100, skip: 0, count: false }],
  ['?limit=0', { limit: 100, skip: 0, count: false }],
  ['?limit=0&count=1', { limit: 0, skip: 0, count: true }],
  ['?limit=many', { limit: 100, skip: 0, count: false }],
])('the range of %j', (text, range) => {
  expect(rangeOf(query(text))).toEqual(range);
});

it('a condition is read and checked', () => {
  expect(whereOf(query(''))).toEqual({});
  expect(whereOf(query(`?where=${encodeURIComponent('{"vendor":"mi"}')}`))).toEqual({ vendor: 'mi' });
  for (const bad of ['{', '3', '{"a":{"$bad":1}}'])
    expect(() => whereOf(query(`?where=${encodeURIComponent(bad)}`))).toThrow(
      expect.objectContaining({ problem: 'invalid-query' }),
    );
});

it.each([
  ['?fetchWhenSave=true', true],
  ['?new=true', true],
  ['?fetchWhenSave=false', false],
  ['?', false],
])('%j wants the document: %j', (text, wants) => {
  expect(wantsDocument(query(text))).toBe(wants);
});
