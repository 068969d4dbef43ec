import { compileWhere, parseWhere, writeJson, type JsonObject } from '@pushfleet/domain';
import { textTest } from './text-test';

const values = [
  'a',
  'b c',
  '七',
  'é',
  'a"b',
  'a\\b',
  'a/b',
  'a\nb',
  '\ud800',
  '',
  1,
  true,
  null,
  ['a', 'x'],
  { a: 'a' },
] as const;
const documents: readonly JsonObject[] = [
  {},
  ...values.map((city) => ({ city }) as unknown as JsonObject),
  ...values.map(
    (city) =>
      ({
        city: [city, 'other'],
        objectId: 'a',
        updatedAt: '2026-11-23T10:00:00.000Z',
      }) as unknown as JsonObject,
  ),
];
const conditions: readonly JsonObject[] = [
  ...values.filter((value) => !Array.isArray(value)).map((city) => ({ city }) as unknown as JsonObject),
  { city: { $in: ['a', '七'] } },
  { city: { $all: ['a', 'other'] } },
  { 'city.a': 'a' },
  { $or: [{ city: 'a' }, { city: { $exists: false } }] },
  { $and: [{ city: 'a' }, { city: 'other' }] },
  { city: { $ne: 'a' } },
  { objectId: 'a' },
  { updatedAt: '2026-11-23T10:00:00Z' },
];

test.each(conditions)('whatever meets %j passes the test of its text', (where) => {
  const matches = compileWhere(parseWhere(where));
  const mayMatch = textTest(parseWhere(where)) ?? (() => true);
  const found = documents.filter(matches);
  expect(found.length).toBeGreaterThan(0);
  for (const { objectId: _, ...doc } of found) expect([doc, mayMatch(`own\n${writeJson(doc)}`)]).toEqual([doc, true]);
});

test('a document without the text that is asked for need not be read', () => {
  const text = `own\n${writeJson({ city: 'here', tags: ['x'] })}`;
  expect(textTest({ city: 'nowhere' })?.(text)).toBe(false);
  expect(textTest({ city: 'here', tags: { $all: ['x', 'y'] } })?.(text)).toBe(false);
  expect(textTest({ city: { $in: ['nowhere', 'here'] } })?.(text)).toBe(true);
});

test('a condition that asks for no text, or for many, has no such test', () => {
  const many = Array.from({ length: 9 }, (_, i) => `city ${i}`);
  expect([textTest({ age: 3 }), textTest({ city: { $ne: 'x' } }), textTest({ city: { $in: many } })]).toEqual(
    Array.from({ length: 3 }, () => undefined),
  );
});
