import type { JsonObject } from './json';
import { contentWarnings } from './push-warnings';

const pathsOf = (data: JsonObject, sections: Record<string, JsonObject> = {}): string[] =>
  contentWarnings({ data, sections }).map(({ path }) => path);

it('a plain message gives no cause to warn', () => {
  expect(pathsOf({ alert: 'a', title: 't', badge: 1, sound: 's', k: 1, _channel: 'c' })).toEqual([]);
});

it('each reserved name is told, because no vendor gets it', () => {
  expect(pathsOf({ alert: 'a', category: 'x', _x: 1 })).toEqual(['data.category', 'data._x']);
});

it('an empty alert is told, unless nothing is to be shown or a section may have the text', () => {
  expect(pathsOf({ alert: ' ' })).toEqual(['data.alert']);
  expect(pathsOf({ alert: { 'loc-key': 'k', 'loc-args': ['a'] } })).toEqual(['data.alert']);
  expect(pathsOf({ alert: { title: 't', body: 'b' } })).toEqual([]);
  expect(pathsOf({ alert: '', silent: true })).toEqual([]);
  expect(pathsOf({ alert: '' }, { hms: { alert: 'a' } })).toEqual([]);
});
