import { isOwnColumn, ownColumnsIn } from './own-columns';
import { parseWhere } from './where';

const inQuery = (where: object) => ({ $inQuery: { className: '_Installation', where } });

test.each([
  ['none', {}, []],
  ['what the service knows itself', { deviceType: 'android', channels: 'news', updatedAt: { $exists: true } }, []],
  ['a column once', { city: 'Rome', $or: [{ city: 'Oslo' }, { level: { $gt: 3 } }] }, ['city', 'level']],
  ['the column of a path', { 'settings.sound.name': 'x' }, ['settings']],
  ['what stands deep', { $and: [{ $or: [{ a: 1 }, { $and: [{ b: 2 }] }] }] }, ['a', 'b']],
  [
    'what sub-queries ask for',
    { $or: [{ friend: inQuery({ city: 'Rome', pal: inQuery({ deep: 1 }) }) }] },
    ['city', 'deep'],
  ],
])('a condition asks for %s', (_, where, columns) => {
  expect(ownColumnsIn(parseWhere(where))).toEqual(expect.arrayContaining([...columns]));
  expect(ownColumnsIn(parseWhere(where)).filter((name) => !['friend', 'pal'].includes(name))).toHaveLength(
    columns.length,
  );
});

test('what an app may give its installations is its own', () => {
  expect(['city', 'vendors', 'Vendor'].map(isOwnColumn)).toEqual([true, true, true]);
  expect(['vendor', 'objectId', 'valid', 'timeZone'].map(isOwnColumn)).toEqual([false, false, false, false]);
});
