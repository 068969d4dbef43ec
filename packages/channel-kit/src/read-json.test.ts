import { readJson, readJsonObject } from './read-json';

test('text that is not JSON is nothing, and no error', () => {
  for (const text of ['', '{', 'nothing']) expect(readJson(text)).toBeUndefined();
  expect(readJson('[1,"a",null]')).toEqual([1, 'a', null]);
});

test('an object is told from everything else that JSON can say', () => {
  for (const text of ['{', '[]', 'null', '1', '"{}"']) expect(readJsonObject(text)).toBeUndefined();
  expect(readJsonObject('{"a":[1]}')).toEqual({ a: [1] });
});
