import { BAD_QUERY } from './answers';
import type { Limits } from './limit';

/** What a condition and the rest of a query may ask for. */
export const QUERIES = {
  whereCharacters: {
    value: 1024 * 1024,
    unit: 'characters',
    bounds: 'Length of a `where`.',
    answer: BAD_QUERY,
  },
  whereLevels: {
    value: 8,
    unit: 'levels',
    bounds: 'Conditions within each other, and lists and objects within an operand.',
    answer: BAD_QUERY,
  },
  whereConditions: {
    value: 500,
    unit: 'conditions',
    bounds: 'Conditions of one `where`, its branches and sub-queries included.',
    answer: BAD_QUERY,
  },
  whereListValues: {
    value: 1000,
    unit: 'values',
    bounds: 'Values in one list of a condition: no more devices than one answer shows.',
    answer: BAD_QUERY,
  },
  whereValues: {
    value: 10_000,
    unit: 'values',
    bounds: 'Values of all conditions of one `where` together, those of its lists included.',
    answer: BAD_QUERY,
  },
  wherePatterns: {
    value: 10,
    unit: 'patterns',
    bounds: '`$regex` conditions of one `where`.',
    answer: BAD_QUERY,
  },
  wherePatternSteps: {
    value: 500,
    unit: 'steps in its patterns',
    bounds: 'Instructions of all patterns of one `where` together.',
    answer: BAD_QUERY,
  },
  wherePatternRanges: {
    value: 40,
    unit: 'Unicode classes and blocks of ranges in its patterns',
    bounds:
      'Classes such as `\\p{L}`, and ranges that end beyond ASCII, each counted once for every 8,192 characters, in all patterns of one `where` together.',
    answer: BAD_QUERY,
  },
  patternCharacters: {
    value: 1024,
    unit: 'characters',
    bounds: 'Length of one pattern.',
    answer: BAD_QUERY,
  },
  searchedCharacters: {
    value: 2048,
    unit: 'characters',
    bounds: 'Text of one field that a pattern searches.',
    beyond: 'A field with more text does not match.',
  },
  whereSubqueries: {
    value: 5,
    unit: 'sub-queries',
    bounds: 'Sub-queries of one `where`, each of which reads every installation of the app.',
    answer: BAD_QUERY,
  },
  subqueryResults: {
    value: 1000,
    unit: 'objects',
    bounds: 'Installations that one sub-query may find.',
    answer: BAD_QUERY,
  },
  pathCharacters: {
    value: 256,
    unit: 'characters',
    bounds: 'Length of the path to a field, as in `a.b.c`.',
    answer: BAD_QUERY,
  },
  keys: {
    value: 100,
    unit: 'names',
    bounds: 'Names in `keys`, or in the `select` of a cloud query.',
    answer: BAD_QUERY,
  },
  keysCharacters: { value: 8192, unit: 'characters', bounds: 'Length of `keys`.', answer: BAD_QUERY },
  order: { value: 10, unit: 'names', bounds: 'Names in `order`, or behind `order by`.', answer: BAD_QUERY },
  orderCharacters: { value: 2048, unit: 'characters', bounds: 'Length of `order`.', answer: BAD_QUERY },
  sortedCharacters: {
    value: 1024,
    unit: 'characters',
    bounds: 'Text of a list or an object that results are sorted by.',
    beyond: 'What is longer is sorted by its beginning.',
  },
  cqlCharacters: {
    value: 128 * 1024,
    unit: 'characters',
    bounds: 'Length of a cloud query.',
    answer: { status: 400, code: 300 },
  },
  results: {
    value: 1000,
    unit: 'objects',
    bounds: 'Installations in one answer.',
    beyond: 'A higher `limit` counts as 100, as in the hosted service.',
  },
  devicesLookedAt: {
    value: 20_000,
    unit: 'installations',
    bounds:
      'Installations that one request of the console looks at for those of a condition, and that each of its sub-queries does.',
    beyond: 'The answer has a `cursor`, with which the search goes on; a sub-query that would need more is refused.',
  },
  sortedResults: {
    value: 100_000,
    unit: 'objects',
    bounds: 'How far into a sorted result `skip` and `limit` reach.',
    answer: BAD_QUERY,
  },
} as const satisfies Limits;
