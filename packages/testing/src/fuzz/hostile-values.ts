import fc from 'fast-check';

const NAMES = [
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'then',
    'length',
    '',
    '.',
    'a.b',
    '$where',
  ],
  ...[
    '$or',
    '$and',
    '$in',
    '$regex',
    '$ne',
    '$inQuery',
    '$nearSphere',
    '__op',
    '__type',
    'where',
    'query',
    'className',
  ],
];

const TEXTS = [
  ...[
    '',
    ' ',
    'null',
    'true',
    '0',
    '-1',
    '1e309',
    'NaN',
    '__proto__',
    'constructor',
    '../../etc/passwd',
    '%',
    '%00',
    '%E0%A4%A',
  ],
  ...[
    '\u0000',
    '\ud800',
    '\u202e',
    '😀',
    'a,b',
    'a;b',
    "'",
    '"',
    '\\',
    '${7*7}',
    '(a+)+$',
    '\\Q',
    '[',
    'x'.repeat(5000),
    'a,'.repeat(3000),
    'a.'.repeat(300),
  ],
  ...['2026-13-45T99:99:99Z', '9999999999999', 'P1D', 'android', 'ios', 'HMS', 'lc', '_default', '_Installation'],
];

const NUMBERS = [0, -0, -1, 1, 0.5, 1e21, -1e21, 1e308, 5e-324, 2 ** 31, 2 ** 53, -(2 ** 53)];

export const hostileName = fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 20 }));

export const hostileText = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

/** What libraries take for text, a list or a promise. */
const PRETENDERS: readonly unknown[] = [
  { length: { toString: 1 } },
  { length: -1 },
  { length: 1e9 },
  { then: 1 },
  { toJSON: 1 },
  { toString: 1 },
];

const deep = (levels: number, into: (inner: unknown) => unknown): unknown =>
  Array.from({ length: levels }).reduce<unknown>(into, 1);

/** More of something than anybody needs. */
const MASSES: readonly unknown[] = [
  ...[30, 33, 1000].map((levels) => deep(levels, (inner) => [inner])),
  ...[30, 33, 1000].map((levels) => deep(levels, (inner) => ({ a: inner }))),
  Array.from({ length: 5000 }, (_, i) => `c${i}`),
  Array.from({ length: 2000 }, (_, i) => ({ a: i })),
  Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`k${i}`, i])),
  { $in: Array.from({ length: 1000 }, (_, i) => ({ a: i })) },
  { __op: 'AddUnique', objects: Array.from({ length: 3000 }, (_, i) => `c${i}`) },
];

const leaf = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...MASSES) },
  { weight: 12, arbitrary: fc.constantFrom(...PRETENDERS) },
  { weight: 12, arbitrary: hostileText },
  { weight: 12, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 12, arbitrary: fc.double() },
  { weight: 12, arbitrary: fc.boolean() },
  { weight: 12, arbitrary: fc.constant(null) },
);

const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.array(fc.tuple(hostileName, tie('tree')), { maxLength: 4 }).map(objectOf),
  ),
}));

/** Any JSON value; `__proto__` is a key like any other. */
const hostileJson: fc.Arbitrary<unknown> = tree;

/** What `JSON.parse` would make of it: assignment would set the prototype. */
function objectOf(entries: readonly (readonly [string, unknown])[]): unknown {
  const object: Record<string, unknown> = {};
  for (const [name, value] of entries)
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  return object;
}

const nest = (open: string, close: string, depth: number): string => open.repeat(depth) + '1' + close.repeat(depth);

/** JSON as text, and what only looks like it. */
export const hostileJsonText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: hostileJson.map((value) => JSON.stringify(value) ?? 'null') },
  { weight: 1, arbitrary: fc.integer({ min: 10, max: 3000 }).map((depth) => nest('[', ']', depth)) },
  { weight: 1, arbitrary: fc.integer({ min: 10, max: 600 }).map((depth) => nest('{"$or":[', ']}', depth)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      `{${'"a":1,'.repeat(3000)}"a":2}`,
      `{"where":{${'"a":{"$in":[1]},'.repeat(1000)}"a":1}}`,
      '['.repeat(20_000),
      '{"a":'.repeat(4000),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '{', '{"a":1e999}', '{"a":1,"a":2}', '\ufeff{}', '"\\ud800"', '[1,]', '-'),
  },
);

/** One value somewhere in a body that was right, replaced, renamed or taken away. */
export function nearly(body: unknown): fc.Arbitrary<unknown> {
  return fc
    .tuple(fc.nat(), fc.constantFrom('replace', 'remove', 'rename'), hostileJson, hostileName)
    .map(([at, change, value, name]) => {
      const paths = pathsOf(body);
      const path = paths[at % paths.length] ?? [];
      return changed(body, path, ([key, old]) => {
        if (change === 'remove') return undefined;
        return change === 'rename' ? [name, old] : [key, value];
      });
    });
}

const PLACE = 'the place of heavy text';

/** The text of a right body, with something heavy in the place of one value. */
export const weighted = (body: unknown, heavy: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(fc.nat(), heavy).map(([at, text]) => {
    const paths = pathsOf(body);
    const spoilt = changed(body, paths[at % paths.length] ?? [], ([key]) => [key, PLACE]);
    return JSON.stringify(spoilt).replace(JSON.stringify(PLACE), () => text);
  });

type Path = readonly string[];
type Edit = (entry: readonly [string, unknown]) => readonly [string, unknown] | undefined;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function pathsOf(value: unknown): readonly Path[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[key], ...pathsOf(inner).map((path) => [key, ...path])]);
}

function changed(value: unknown, [key, ...rest]: Path, edit: Edit): unknown {
  if (key === undefined || !isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    if (name !== key) return [[name, inner] as const];
    const edited = rest.length > 0 ? ([name, changed(inner, rest, edit)] as const) : edit([name, inner]);
    return edited ? [edited] : [];
  });
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : objectOf(entries);
}
