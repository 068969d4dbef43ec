import { InvalidInput } from '../invalid-input';
import type { Json, JsonObject } from '../json';
import { compileWhere, parseWhere } from '.';

const matches = (where: unknown, doc: JsonObject): boolean => compileWhere(parseWhere(where))(doc);

type Case = readonly [where: Json, doc: JsonObject, expected: boolean];
const tableOf = (name: string, cases: readonly Case[]): void =>
  describe(name, () => {
    it.each(cases)('%j on %j: %s', (where, doc, expected) => {
      expect(matches(where, doc)).toBe(expected);
    });
  });

const date = (iso: string): JsonObject => ({ __type: 'Date', iso });
const pointer = (objectId: string, className = '_Installation'): JsonObject => ({
  __type: 'Pointer',
  className,
  objectId,
});
const point = (latitude: number, longitude: number): JsonObject => ({ __type: 'GeoPoint', latitude, longitude });
const bytes = (base64: string): JsonObject => ({ __type: 'Bytes', base64 });
const file = (id: string): JsonObject => ({ __type: 'File', id });

tableOf('equality', [
  [{}, { a: 1 }, true],
  [[], { a: 1 }, true],
  [{ a: 1 }, { a: 1 }, true],
  [{ a: 1 }, { a: '1' }, false],
  [{ a: true }, { a: true }, true],
  [{ a: false }, { a: 0 }, false],
  [{ a: '' }, { a: '' }, true],
  [{ a: '' }, {}, false],
  [{ channels: 'news' }, { channels: ['sport', 'news'] }, true],
  [{ channels: 'tennis' }, { channels: ['sport', 'news'] }, false],
  [{ a: null }, {}, true],
  [{ a: null }, { a: null }, true],
  [{ a: null }, { a: [1, null] }, true],
  [{ a: null }, { a: 0 }, false],
  [{ a: null }, { a: [] }, false],
  [{ a: [1, 2] }, { a: [1, 2] }, true],
  [{ a: [1, 2] }, { a: [2, 1] }, false],
  [{ a: [1, 2] }, { a: [1, 2, 3] }, false],
  [{ a: [1, 2] }, { a: [[1, 2], 3] }, true],
  [{ a: [] }, { a: [] }, true],
  [{ a: [] }, {}, false],
  [{ a: { b: 1 } }, { a: { b: 1 } }, true],
  [{ a: { b: 1 } }, { a: { b: 1, c: 2 } }, false],
  [{ a: { b: 1, c: [{ d: 2 }] } }, { a: { c: [{ d: 2 }], b: 1 } }, true],
  [{ a: { b: null } }, { a: {} }, false],
  [{ a: { b: 1 } }, { a: [{ b: 2 }, { b: 1 }] }, true],
  [{ a: {} }, { a: {} }, true],
  [{ a: {} }, { a: { b: 1 } }, false],
  [{ constructor: null }, {}, true],
  [{ toString: { $exists: true } }, {}, false],
]);

tableOf('paths', [
  [{ 'a.b': 1 }, { a: { b: 1 } }, true],
  [{ 'a.b': 1 }, { a: { b: 2 } }, false],
  [{ 'a.b': 1 }, { a: 1 }, false],
  [{ 'a.b': 1 }, { 'a.b': 1 }, false],
  [{ 'a.b': null }, { a: 1 }, true],
  [{ 'a.b.c': 'x' }, { a: { b: { c: ['y', 'x'] } } }, true],
  [{ 'a.b': 1 }, { a: [{ b: 2 }, { b: 1 }] }, true],
  [{ 'a.b': 1 }, { a: [{ b: 2 }, 1] }, false],
  [{ 'a.b': null }, { a: [{ b: 2 }, {}] }, true],
  [{ 'a.b': null }, { a: [{ b: 2 }] }, false],
  [{ 'a.b': { $exists: false } }, { a: [] }, true],
  [{ 'a.1': 'x' }, { a: ['y', 'x'] }, true],
  [{ 'a.0': 'x' }, { a: ['y', 'x'] }, false],
  [{ 'a.2': null }, { a: ['y', 'x'] }, true],
  [{ 'a.1': 'x' }, { a: { 1: 'x' } }, true],
  [{ 'a.constructor': null }, { a: {} }, true],
  [{ 'owner.objectId': 'x' }, { owner: pointer('x') }, true],
]);

tableOf('typed values', [
  [{ a: date('2026-01-02T03:04:05.678Z') }, { a: date('2026-01-02T03:04:05.678Z') }, true],
  [{ a: date('2026-01-02T03:04:05Z') }, { a: date('2026-01-02T04:04:05.000+01:00') }, true],
  [{ a: date('2026-01-02T03:04:05Z') }, { a: '2026-01-02T03:04:05Z' }, false],
  [{ a: date('2026-01-02T03:04:05Z') }, { a: date('soon') }, false],
  [{ a: date('2026-01-02T03:04:05Z') }, { a: [date('2026-01-02T03:04:05.000Z')] }, true],
  [{ a: { at: date('2026-01-02') } }, { a: { at: date('2026-01-02T00:00:00.000Z') } }, true],
  [{ a: [date('2026-01-02')] }, { a: [date('2026-01-03T00:00:00.000Z')] }, false],
  [{ a: { __type: 'Pointer', className: 'C', objectId: 'x', name: 'n' } }, { a: pointer('x', 'C') }, true],
  [{ a: pointer('x') }, { a: pointer('y') }, false],
  [{ a: pointer('x', 'C') }, { a: pointer('x', 'D') }, false],
  [{ a: pointer('x') }, { a: { className: '_Installation', objectId: 'x' } }, false],
  [{ a: pointer('x') }, { a: [pointer('y'), pointer('x')] }, true],
  [{ a: point(1, 2) }, { a: point(1, 2) }, true],
  [{ a: point(1, 2) }, { a: point(2, 1) }, false],
  [{ a: bytes('AQI=') }, { a: bytes('AQI=') }, true],
  [{ a: bytes('AQI=') }, { a: bytes('AQM=') }, false],
  [{ a: bytes('AQI=') }, { a: 'AQI=' }, false],
  [{ a: file('f') }, { a: { __type: 'File', id: 'f', name: 'n', url: 'u' } }, true],
  [{ a: file('f') }, { a: file('g') }, false],
  [{ a: file('f') }, { a: pointer('f') }, false],
]);

const stored = { createdAt: '2026-01-02T00:00:00.000Z', updatedAt: '2026-01-03T00:00:00.000Z' };

tableOf('createdAt and updatedAt are dates though they are stored as text', [
  [{ createdAt: date('2026-01-02T01:00:00.000+01:00') }, stored, true],
  [{ createdAt: '2026-01-02T00:00:00Z' }, stored, true],
  [{ createdAt: { $gt: date('2026-01-01T00:00:00.000Z') } }, stored, true],
  [{ createdAt: { $gt: date('2026-01-02T00:00:00.000Z') } }, stored, false],
  [{ updatedAt: { $gte: '2026-01-03' } }, stored, true],
  [{ updatedAt: { $lt: '2026-01-02' } }, stored, false],
  [{ updatedAt: { $lt: '2026-01-02' } }, {}, false],
  [{ createdAt: { $ne: date('2026-01-02T00:00:00.000Z') } }, stored, false],
  [{ createdAt: { $in: ['2026-01-01', '2026-01-02'] } }, stored, true],
  [{ createdAt: { $exists: true } }, stored, true],
  [{ createdAt: null }, stored, false],
]);

tableOf('order', [
  [{ a: { $gt: 1, $lte: 3 } }, { a: 3 }, true],
  [{ a: { $gt: 1, $lte: 3 } }, { a: 1 }, false],
  [{ a: { $gt: 1 } }, { a: '2' }, false],
  [{ a: { $gt: 1 } }, { a: true }, false],
  [{ a: { $gte: 'b' } }, { a: 'c' }, true],
  [{ a: { $gte: 'b' } }, { a: 'a' }, false],
  [{ a: { $gte: 'b' } }, { a: 9 }, false],
  [{ a: { $lt: 1 } }, {}, false],
  [{ a: { $lt: 1 } }, { a: null }, false],
  [{ a: { $lt: 1 } }, { a: [5, 0] }, true],
  [{ a: { $lt: 1 } }, { a: [5, 1] }, false],
  [{ a: { $lt: date('2026-01-02') } }, { a: date('2026-01-01T00:00:00.000Z') }, true],
  [{ a: { $lt: date('2026-01-02') } }, { a: date('2026-01-02T00:00:00.000Z') }, false],
  [{ a: { $lte: date('2026-01-02') } }, { a: date('2026-01-02T00:00:00.000Z') }, true],
  [{ a: { $lt: date('2026-01-02') } }, { a: '2026-01-01T00:00:00.000Z' }, false],
  [{ a: { $gt: date('2026-01-02') } }, { a: 1e15 }, false],
  [{ a: { $gt: 'a' } }, { a: date('2026-01-01T00:00:00.000Z') }, false],
]);

tableOf('sets', [
  [{ a: { $ne: 1 } }, { a: 2 }, true],
  [{ a: { $ne: 1 } }, { a: 1 }, false],
  [{ a: { $ne: 1 } }, {}, true],
  [{ a: { $ne: 1 } }, { a: [2, 1] }, false],
  [{ a: { $ne: null } }, {}, false],
  [{ a: { $ne: null } }, { a: 0 }, true],
  [{ a: { $ne: pointer('x') } }, { a: pointer('x') }, false],
  [{ a: { $ne: { b: 1 } } }, { a: { b: 2 } }, true],
  [{ a: { $in: [1, 'x'] } }, { a: 'x' }, true],
  [{ a: { $in: [1, 'x'] } }, { a: '1' }, false],
  [{ a: { $in: [1, 'x'] } }, { a: ['y', 'x'] }, true],
  [{ a: { $in: [] } }, { a: 'x' }, false],
  [{ a: { $in: [null] } }, {}, true],
  [{ a: { $in: [[1]] } }, { a: [1] }, true],
  [{ a: { $in: [{ b: 1 }] } }, { a: { b: 1 } }, true],
  [{ a: { $in: [pointer('x'), pointer('y')] } }, { a: pointer('y') }, true],
  [{ a: { $in: [pointer('x'), pointer('x', 'D')] } }, { a: pointer('x', 'C') }, false],
  [{ a: { $in: [date('2026-01-01'), bytes('AA==')] } }, { a: date('2026-01-01T00:00:00.000Z') }, true],
  [{ a: { $nin: ['x'] } }, { a: 'y' }, true],
  [{ a: { $nin: ['x'] } }, {}, true],
  [{ a: { $nin: [null] } }, {}, false],
  [{ a: { $nin: [] } }, { a: 'y' }, true],
  [{ a: { $nin: ['x'] } }, { a: ['x', 'y'] }, false],
  [{ a: { $nin: [pointer('x')] } }, { a: pointer('y') }, true],
  [{ a: { $all: ['x', 'y'] } }, { a: ['y', 'z', 'x'] }, true],
  [{ a: { $all: ['x', 'y'] } }, { a: ['x'] }, false],
  [{ a: { $all: ['x'] } }, { a: 'x' }, true],
  [{ a: { $all: [] } }, { a: [] }, false],
  [{ a: { $all: [pointer('x'), 1] } }, { a: [1, pointer('x')] }, true],
]);

tableOf('presence and size', [
  [{ a: { $exists: true } }, { a: false }, true],
  [{ a: { $exists: true } }, { a: null }, true],
  [{ a: { $exists: true } }, {}, false],
  [{ a: { $exists: false } }, { a: false }, false],
  [{ a: { $exists: false } }, {}, true],
  [{ 'a.b': { $exists: true } }, { a: [{ c: 1 }, { b: 1 }] }, true],
  [{ a: { $size: 2 } }, { a: [1, 2] }, true],
  [{ a: { $size: 0 } }, { a: [] }, true],
  [{ a: { $size: 0 } }, {}, false],
  [{ a: { $size: 2 } }, { a: 'ab' }, false],
  [{ a: { $size: 2 } }, { a: [[1, 2]] }, false],
]);

tableOf('connectives', [
  [{ $or: [{ a: 1 }, { b: 1 }] }, { b: 1 }, true],
  [{ $or: [{ a: 1 }, { b: 1 }] }, { b: 2 }, false],
  [{ $or: [{ a: 1 }, {}] }, {}, true],
  [{ $and: [{ a: 1 }, { b: 1 }] }, { b: 1 }, false],
  [{ $and: [{ a: 1 }, { b: 1 }] }, { a: 1, b: 1 }, true],
  [{ c: 1, $or: [{ a: 1 }, { b: 1 }] }, { a: 1, c: 2 }, false],
  [{ $or: [{ $and: [{ a: 1 }, { b: 1 }] }, { c: 1 }] }, { c: 1 }, true],
  [[{ a: 1 }, { b: { $gt: 0 } }], { a: 1, b: 1 }, true],
  [[{ a: 1 }, { b: { $gt: 1 } }], { a: 1, b: 1 }, false],
  [[{ a: { $gt: 1 } }, { a: { $lt: 3 } }], { a: 2 }, true],
]);

const berlin = point(52.52, 13.405);
const paris = point(48.8566, 2.3522);
const fiji = point(-17.7134, 178.065);

tableOf('places', [
  [{ at: { $nearSphere: berlin } }, { at: paris }, true],
  [{ at: { $nearSphere: berlin } }, {}, false],
  [{ at: { $nearSphere: berlin } }, { at: 'Berlin' }, false],
  [{ at: { $nearSphere: berlin, $maxDistanceInKilometers: 900 } }, { at: paris }, true],
  [{ at: { $nearSphere: berlin, $maxDistanceInKilometers: 850 } }, { at: paris }, false],
  [{ at: { $nearSphere: berlin, $maxDistanceInMiles: 550 } }, { at: paris }, true],
  [{ at: { $nearSphere: berlin, $maxDistanceInMiles: 530 } }, { at: paris }, false],
  [{ at: { $nearSphere: berlin, $maxDistance: 0.14 } }, { at: paris }, true],
  [{ at: { $nearSphere: berlin, $maxDistance: 0.13 } }, { at: paris }, false],
  [{ at: { $maxDistanceInRadians: 0.14, $nearSphere: berlin } }, { at: paris }, true],
  [{ at: { $nearSphere: berlin, $maxDistance: 0 } }, { at: berlin }, true],
  [{ at: { $nearSphere: point(0, 180), $maxDistanceInKilometers: 1 } }, { at: point(0, -180) }, true],
  [{ at: { $nearSphere: point(90, 0), $maxDistance: 1e-9 } }, { at: point(90, 90) }, true],
  [{ at: { $within: { $box: [point(48, 2), point(53, 14)] } } }, { at: berlin }, true],
  [{ at: { $within: { $box: [point(48, 2), point(52, 14)] } } }, { at: berlin }, false],
  [{ at: { $within: { $box: [point(48, 2), point(53, 14)] } } }, { at: fiji }, false],
  [{ at: { $within: { $box: [point(48, 2), point(53, 14)] } } }, { at: 7 }, false],
  [{ at: { $within: { $box: [point(-20, 170), point(0, -170)] } } }, { at: fiji }, true],
  [{ at: { $within: { $box: [point(-20, 179), point(0, -170)] } } }, { at: fiji }, false],
]);

/** What the JavaScript SDK makes of startsWith, contains and endsWith. */
const quoted = (text: string): string => `\\Q${text.replace('\\E', '\\E\\\\E\\Q')}\\E`;

tableOf('patterns', [
  [{ a: { $regex: `^${quoted('x.y')}` } }, { a: 'x.yz' }, true],
  [{ a: { $regex: `^${quoted('x.y')}` } }, { a: 'xzyz' }, false],
  [{ a: { $regex: `^${quoted('x.y')}` } }, { a: 'ax.y' }, false],
  [{ a: { $regex: quoted('x.y') } }, { a: 'ax.yz' }, true],
  [{ a: { $regex: quoted('x.y') } }, { a: 'axxyz' }, false],
  [{ a: { $regex: `${quoted('x.y')}$` } }, { a: 'ax.y' }, true],
  [{ a: { $regex: `${quoted('x.y')}$` } }, { a: 'ax.yz' }, false],
  [{ a: { $regex: quoted('a\\Eb(') } }, { a: '-a\\Eb(-' }, true],
  [{ a: { $regex: quoted('中文 [1]') } }, { a: '说中文 [1] 的人' }, true],
  [{ a: { $regex: '^\\d{3}-\\d+$' } }, { a: '123-4' }, true],
  [{ a: { $regex: '^\\d{3}-\\d+$' } }, { a: '12-34' }, false],
  [{ a: { $regex: '^[\\p{Han}]+$' } }, { a: '中文' }, true],
  [{ a: { $regex: '^.$' } }, { a: '😀' }, true],
  [{ a: { $regex: '' } }, { a: '' }, true],
  [{ a: { $regex: '' } }, {}, false],
  [{ a: { $regex: '1' } }, { a: 1 }, false],
  [{ a: { $regex: 'x' } }, { a: ['y', 'x'] }, true],
  [{ a: { $regex: '^b', $ne: 'berlin' } }, { a: 'berlin' }, false],
  [{ a: { $regex: 'BER' } }, { a: 'berlin' }, false],
  [{ a: { $regex: 'BER', $options: 'i' } }, { a: 'berlin' }, true],
  [{ a: { $regex: 'ÄÖ', $options: 'i' } }, { a: 'äö' }, true],
  [{ a: { $regex: '^b$' } }, { a: 'a\nb' }, false],
  [{ a: { $regex: '^b$', $options: 'm' } }, { a: 'a\nb' }, true],
  [{ a: { $regex: 'a.b' } }, { a: 'a\nb' }, false],
  [{ a: { $regex: 'a.b', $options: 's' } }, { a: 'a\nb' }, true],
  [{ a: { $regex: 'a b' } }, { a: 'ab' }, false],
  [{ a: { $regex: 'a b # the rest\n c', $options: 'x' } }, { a: 'abc' }, true],
  [{ a: { $regex: 'a [ #]b', $options: 'x' } }, { a: 'a#b' }, true],
  [{ a: { $regex: 'a []#]b', $options: 'x' } }, { a: 'a#b' }, true],
  [{ a: { $regex: 'a [[:space:] ] b', $options: 'x' } }, { a: 'a b' }, true],
  [{ a: { $regex: 'a\\ \\#b', $options: 'x' } }, { a: 'a #b' }, true],
  [{ a: { $regex: '\\Qa #\\E b', $options: 'x' } }, { a: 'a #b' }, true],
  [{ a: { $regex: 'A B\n.C', $options: 'simx' } }, { a: 'ab\nc' }, true],
  [{ a: { $options: 'i', $regex: 'A' } }, { a: 'a' }, true],
]);

describe('a device profile', () => {
  it('is asked for by equality', () => {
    expect(matches({ deviceProfile: 'second' }, { deviceProfile: 'second' })).toBe(true);
    expect(matches({ $or: [{ deviceProfile: 'second' }] }, {})).toBe(false);
  });

  it.each<[Json]>([[{ $ne: 'x' }], [{ $in: ['x'] }], [{ $exists: true }], [{ $regex: 'x' }], [{ $gt: 'x' }]])(
    'not by %j',
    (condition) => {
      expect(() => parseWhere({ deviceProfile: condition })).toThrow('deviceProfile: only equality');
    },
  );
});

describe('refusals', () => {
  const deep = (depth: number): JsonObject => (depth === 0 ? { a: 1 } : { $and: [deep(depth - 1)] });
  const deepValue = (depth: number): Json => (depth === 0 ? 1 : { a: deepValue(depth - 1) });
  const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
  const patterns = (complaint: string, regexes: readonly string[]): [JsonObject, string][] =>
    regexes.map(($regex) => [{ a: { $regex } }, complaint]);
  const ask = (more: JsonObject): JsonObject => ({ a: { $inQuery: { className: '_Installation', ...more } } });

  const refused: readonly (readonly [where: unknown, word: string])[] = [
    ['x', 'where'],
    [null, 'where'],
    [7, 'where'],
    [undefined, 'not JSON'],
    [{ a: undefined }, 'not JSON'],
    [{ a: NaN }, 'not JSON'],
    [{ $nor: [{ a: 1 }] }, '$nor is not supported'],
    [{ $where: 'true' }, '$where is not supported'],
    [{ $relatedTo: { object: {}, key: 'likes' } }, '$relatedTo is not supported'],
    [{ $exists: true }, '$exists is not supported'],
    [{ a: { $not: { $gt: 1 } } }, 'a: the operator $not is not supported'],
    [{ a: { $eq: 1 } }, 'a: the operator $eq is not supported'],
    [{ a: { $or: [] } }, 'a: the operator $or is not supported'],
    [{ a: { $constructor: 1 } }, '$constructor'],
    [{ a: { $in: 'x' } }, 'a: $in needs a list'],
    [{ a: { $nin: {} } }, '$nin needs a list'],
    [{ a: { $all: 1 } }, '$all needs a list'],
    [{ $or: [] }, '$or needs a list'],
    [{ $and: {} }, '$and needs a list'],
    [{ $or: ['x'] }, '$or needs a list'],
    [['x'], '$and needs a list'],
    [{ a: { $gt: 1, b: 2 } }, 'cannot be mixed'],
    [{ a: { $gt: null } }, 'a: $gt needs a number, a string or a date'],
    [{ a: { $lt: true } }, '$lt needs'],
    [{ a: { $lte: [1] } }, '$lte needs'],
    [{ a: { $gte: { b: 1 } } }, '$gte needs'],
    [{ a: { $gt: pointer('x') } }, '$gt needs'],
    [{ a: { $exists: 1 } }, '$exists needs a boolean'],
    [{ a: { $size: '2' } }, '$size needs a whole number'],
    [{ a: { $size: -1 } }, '$size needs a whole number'],
    [{ a: { $size: 1.5 } }, '$size needs a whole number'],
    [{ a: { __type: 'Date', iso: 'x' } }, 'a: not a valid Date'],
    [{ a: { $gt: date('2026-02-30T00:00:00.000Z') } }, 'a: not a valid Date'],
    [{ a: { $gt: { __type: 'Date', iso: 1 } } }, 'not a valid Date'],
    [{ a: { $in: [{ __type: 'Pointer' }] } }, 'not a valid Pointer'],
    [{ a: { __type: 'GeoPoint', latitude: 91, longitude: 0 } }, 'not a valid GeoPoint'],
    [{ a: { __type: 'GeoPoint', latitude: 0, longitude: '0' } }, 'not a valid GeoPoint'],
    [{ a: { __type: 'Bytes' } }, 'not a valid Bytes'],
    [{ a: { __type: 'File', name: 'x' } }, 'not a valid File'],
    [{ a: { __type: 'Relation', className: 'x' } }, 'typed values "Relation" are not supported'],
    [{ a: { b: { __type: 'constructor' } } }, 'typed values'],
    [{ a: { __type: 7 } }, 'typed values'],
    [{ createdAt: 'today' }, 'createdAt: equality needs a date'],
    [{ updatedAt: { $gt: 5 } }, 'updatedAt: $gt needs a date'],
    [{ createdAt: { $regex: '2026' } }, 'createdAt: $regex does not apply to a date'],
    [{ '': 1 }, 'not the name of a field'],
    [{ 'a..b': 1 }, 'not the name of a field'],
    [{ 'a.$b': 1 }, 'not the name of a field'],
    [{ '1a': 1 }, 'not the name of a field'],
    [JSON.parse('{"__proto__": 1}'), 'not the name of a field'],
    [{ [`a${'.b'.repeat(200)}`]: 1 }, 'where: the path to a field may have at most 256 characters'],
    [{ a: { $regex: 1 } }, 'a: $regex needs strings'],
    [{ a: { $regex: 'a', $options: 1 } }, '$regex needs strings'],
    [{ a: { $options: 'i' } }, '$options needs $regex'],
    [{ a: { $regex: 'a', $options: 'g' } }, '"g" is none of i, m, s and x'],
    [{ a: { $regex: 'a'.repeat(1025) } }, '$regex longer than 1024'],
    [{ a: { $regex: '(' } }, 'missing closing )'],
    [{ a: { $regex: '[z-a]' } }, 'invalid character class range'],
    ...patterns('look-around is not supported', ['a(?=b)', 'a(?!b)', '(?<=a)b', '(?<!a)b']),
    ...patterns('back-references are not supported', ['(a)\\1', '(?<x>a)\\k<x>', '(?P<x>a)(?P=x)']),
    ...patterns('atomic groups and possessive', ['(?>a)', 'a++']),
    [{ a: { $regex: '((((a?){10}){10}){10})' } }, 'more than 500 steps in its patterns'],
    [{ a: { $regex: '(a{1000}){1000}' } }, 'invalid repeat count'],
    [{ $or: many(11, { a: { $regex: 'x' } }) }, 'more than 10 patterns'],
    [{ a: { $maxDistance: 1 } }, '$maxDistance needs $nearSphere'],
    [{ a: { $nearSphere: [1, 2] } }, '$nearSphere needs a GeoPoint'],
    [{ a: { $nearSphere: berlin, $maxDistance: '1' } }, '$maxDistance needs a distance'],
    [{ a: { $nearSphere: berlin, $maxDistanceInMiles: -1 } }, '$maxDistanceInMiles needs a distance'],
    [{ a: { $nearSphere: berlin, $maxDistance: 1, $maxDistanceInMiles: 1 } }, 'takes one of'],
    [{ a: { $within: { $centerSphere: [] } } }, '$within needs a $box'],
    [{ a: { $within: { $box: [berlin] } } }, '$within needs a $box'],
    [{ a: { $within: { $box: [berlin, paris] } } }, 'south-west corner first'],
    [{ a: { $inQuery: 'x' } }, 'a: $inQuery needs a query'],
    [ask({ className: '_User' }), 'a: $inQuery can only ask the class _Installation'],
    [ask({ limit: 10 }), 'limit is not supported'],
    [ask({ skip: 10 }), 'does not support "skip"'],
    [ask({ where: 7 }), 'needs a condition'],
    [ask({ where: { b: { $eq: 1 } } }), 'b: the operator $eq'],
    [{ a: { $select: { query: { className: '_User' }, key: 'b' } } }, '$select can only ask'],
    [{ a: { $select: { query: { className: '_Installation' } } } }, 'needs a query and a key'],
    [{ a: { $dontSelect: { query: { className: '_Installation' }, key: '$b' } } }, 'not the name of a field'],
    [{ $and: many(6, ask({})) }, 'more than 5 sub-queries'],
    [deep(9), 'where: nested too deeply: at most 8 levels'],
    [{ a: deepValue(20) }, 'where: a: nested too deeply: at most 8 levels'],
    [{ a: { $in: many(1001, 1) } }, '$in has more than 1000'],
    [{ $or: many(501, {}) }, 'more than 500 conditions'],
    [Object.fromEntries(many(501, 0).map((_, i) => [`a${i}`, 1])), 'more than 500 conditions'],
    [{ a: 'x'.repeat(1024 * 1024) }, 'longer than 1048576 characters'],
  ];

  it.each(refused.map(([where, word]) => ({ where, word, text: `${JSON.stringify(where)}`.slice(0, 80) })))(
    '$text is refused: $word',
    ({ where, word }) => {
      expect(() => parseWhere(where)).toThrow(InvalidInput);
      expect(() => parseWhere(where)).toThrow(word);
    },
  );

  it.each<[JsonObject]>([
    [{ a: { $all: [{ $where: 'process.exit(1)' }] } }],
    [{ a: { $in: [{ $where: 'process.exit(1)' }] } }],
    [{ a: { $ne: { $where: 'process.exit(1)' } } }],
    [{ a: { b: { $where: 'process.exit(1)' } } }],
    [{ a: [{ $where: 'process.exit(1)' }] }],
    [{ $and: [{ a: { $all: [[{ b: { $where: 'process.exit(1)' } }]] } }] }],
  ])('an operator inside a value is refused: %j', (where) => {
    expect(() => parseWhere(where)).toThrow('the operator $where is not supported');
  });

  it('every refusal is a bad query', () => {
    expect(() => parseWhere({ $x: 1 })).toThrow(expect.objectContaining({ problem: 'invalid-query' }));
  });

  it('quotes little of a long name', () => {
    const caught = (() => {
      try {
        return parseWhere({ [`$${'x'.repeat(9999)}`]: 1 });
      } catch (error) {
        return error;
      }
    })();
    expect(caught).toBeInstanceOf(InvalidInput);
    expect((caught as InvalidInput).message.length).toBeLessThan(200);
  });
});

describe('the time a condition takes', () => {
  const text = (letters: string, length: number): string =>
    Array.from({ length }, (_, i) => letters[(i * i * 7919 + (i >> 3)) % letters.length]).join('');

  it.each([
    ['(a*)*b'],
    ['(a+)+$'],
    ['(x|y)*x(x|y){150}[^xy]'],
    ['.*x.{450}[^xy]$'],
    ['(?:a?){160}a{160}b'],
    ['(.?x.?y){1,50}$q'],
  ])('is bounded for the hostile pattern %s', (pattern) => {
    const test = compileWhere(parseWhere({ a: { $regex: pattern } }));
    const docs = ['a', 'xy', 'xy ab', '中x'].map((letters) => ({ a: text(letters, 2000) }));
    const began = process.cpuUsage();
    for (const doc of docs) test(doc);
    expect(process.cpuUsage(began).user).toBeLessThan(10_000_000);
  });

  it('is bounded for long texts: a pattern looks at 2048 characters of a field', () => {
    const test = compileWhere(parseWhere({ a: { $regex: 'b$' } }));
    expect(test({ a: `${'x'.repeat(2047)}b` })).toBe(true);
    expect(test({ a: `${'x'.repeat(2048)}b` })).toBe(false);
    expect(test({ a: [...Array.from({ length: 2048 }, () => 'x'), 'b'] })).toBe(false);
    expect(test({ a: 'b' })).toBe(true);
  });
});
