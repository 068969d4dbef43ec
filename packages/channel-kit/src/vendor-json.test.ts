import { vendorJson, vendorJsonObject } from './vendor-json';

test('text that is not JSON is nothing, and no error', () => {
  for (const text of ['', '{', 'nothing']) expect(vendorJson(text)).toBeUndefined();
  expect(vendorJson('[1,"a",null]')).toEqual([1, 'a', null]);
});

test('an object is told from everything else that JSON can say', () => {
  for (const text of ['{', '[]', 'null', '1', '"{}"']) expect(vendorJsonObject(text)).toBeUndefined();
  expect(vendorJsonObject('{"a":[1]}')).toEqual({ a: [1] });
});
