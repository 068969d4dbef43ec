import type { JsonObject } from '@pushfleet/domain';
import { checkTap, layOver, objectAt, requireFewer, requireHttps } from './section-objects';

test('laying one object over another replaces single fields and keeps their neighbours', () => {
  const base = { a: { b: 1, c: { d: 2 } }, e: [1, 2] };
  expect(layOver(base, { a: { c: { f: 3 } }, e: [3] })).toEqual({ a: { b: 1, c: { d: 2, f: 3 } }, e: [3] });
  expect(base).toEqual({ a: { b: 1, c: { d: 2 } }, e: [1, 2] });
});

test('what is whole replaces the other one', () => {
  const tap = { tap: { type: 1, intent: 'i' } };
  expect(layOver(tap, { tap: { type: 3 } }, new Set(['tap']))).toEqual({ tap: { type: 3 } });
});

test('a field named __proto__ stays a field', () => {
  const over = JSON.parse('{"__proto__":{"admin":true}}') as JsonObject;
  expect(JSON.stringify(layOver({}, over))).toBe('{"__proto__":{"admin":true}}');
});

test.each<[() => unknown, string]>([
  [() => objectAt('x', 'android'), 'android: must be an object'],
  [() => requireHttps('http://a.b', 'image'), 'image: must be an https:// address, the vendor takes no other'],
  [() => requireFewer([1, 2], 1, 'buttons'), 'buttons: at most 1'],
  [() => checkTap({ type: 1 }, 'tap'), 'tap: needs intent or action for this type'],
  [() => checkTap({ type: '2' }, 'tap'), 'tap.url: must be an https:// address, the vendor takes no other'],
])('%s is refused by name', (call, words) => {
  expect(call).toThrow(words);
});

test('what is not given is not missed', () => {
  expect(objectAt(undefined, 'android')).toEqual({});
  for (const call of [
    () => requireHttps(undefined, 'a'),
    () => requireFewer(undefined, 1, 'a'),
    () => checkTap({ type: 3 }, 'a'),
  ])
    expect(call).not.toThrow();
});
