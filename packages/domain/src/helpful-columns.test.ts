import { audienceOf } from './audience';
import { helpfulColumns } from './helpful-columns';
import type { JsonObject } from './json';
import { parseWhere } from './where';

it.each<[JsonObject, readonly string[]]>([
  [{ user: 'ann' }, ['user']],
  [{ user: { $in: ['ann', 'bob'] }, level: { $gt: 1 } }, ['user']],
  [{ $or: [{ user: 'ann' }, { team: 7 }], city: 'Rome' }, ['city']],
  [{ $or: [{ user: 'ann' }, { team: 7 }] }, ['user', 'team']],
  [{ level: { $gt: 1 } }, []],
  [{ user: null }, []],
  [{ valid: true }, []],
  [{ 'owner.id': 'a' }, []],
  [{}, []],
])('for %j indexes of %j would have helped', (where, columns) => {
  expect(helpfulColumns(audienceOf(parseWhere(where), undefined))).toEqual(columns);
});
