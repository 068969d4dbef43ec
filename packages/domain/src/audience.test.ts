import { audienceOf, channelCovers, onlyChannelOf, withoutSubscriptions, type Audience } from './audience';
import type { JsonObject } from './json';
import { compileWhere, parseWhere } from './where';

describe('audienceOf', () => {
  it.each<[JsonObject, readonly string[] | undefined, Audience]>([
    [{}, undefined, {}],
    [{ objectId: 'x' }, undefined, { addressed: { field: 'objectId', values: ['x'] } }],
    [{ installationId: 'x' }, undefined, { addressed: { field: 'installationId', values: ['x'] } }],
    [{ deviceToken: 'x' }, undefined, { addressed: { field: 'deviceToken', values: ['x'] } }],
    [
      { registrationId: { $in: ['x', 'y', 'x'] } },
      undefined,
      { addressed: { field: 'registrationId', values: ['x', 'y'] } },
    ],
    [{ objectId: { $in: [] } }, undefined, { addressed: { field: 'objectId', values: [] } }],
    [{ objectId: { $ne: 'x' } }, undefined, { predicate: { objectId: { $ne: 'x' } } }],
    [{ objectId: { $in: ['x', 7] } }, undefined, { predicate: { objectId: { $in: ['x', 7] } } }],
    [{ objectId: { $in: ['x'], $ne: 'y' } }, undefined, { predicate: { objectId: { $in: ['x'], $ne: 'y' } } }],
    [
      { installationId: 'x', objectId: 'y', city: 'z' },
      undefined,
      { addressed: { field: 'objectId', values: ['y'] }, predicate: { installationId: 'x', city: 'z' } },
    ],
    [{ channels: 'a' }, undefined, { subscriptions: ['a'] }],
    [{ channels: { $in: ['a', 'b'] }, x: 1 }, undefined, { subscriptions: ['a', 'b'], predicate: { x: 1 } }],
    [{ channels: { $all: ['a'] }, x: 1 }, undefined, { subscriptions: ['a'], predicate: { x: 1 } }],
    [{ channels: { $all: ['a', 'a'] } }, undefined, { subscriptions: ['a'] }],
    [{ channels: { $all: [7] } }, undefined, { predicate: { channels: { $all: [7] } } }],
    [{ channels: { $all: [] } }, undefined, { predicate: { channels: { $all: [] } } }],
    [{ channels: { $all: ['a', 'b'] } }, undefined, { predicate: { channels: { $all: ['a', 'b'] } } }],
    [{ channels: 'a' }, ['b'], { subscriptions: ['b'], predicate: { channels: 'a' } }],
    [{ x: 1 }, ['b'], { subscriptions: ['b'], predicate: { x: 1 } }],
    [{}, [], { subscriptions: [] }],
    [
      { objectId: 'x', channels: 'a' },
      undefined,
      { addressed: { field: 'objectId', values: ['x'] }, predicate: { channels: 'a' } },
    ],
    [
      { objectId: 'x', y: 1 },
      ['b'],
      {
        addressed: { field: 'objectId', values: ['x'] },
        predicate: { $and: [{ y: 1 }, { channels: { $in: ['b'] } }] },
      },
    ],
    [{ $or: [{ objectId: 'x' }] }, undefined, { predicate: { $or: [{ objectId: 'x' }] } }],
    [{ $and: [{ installationId: 'x' }] }, undefined, { addressed: { field: 'installationId', values: ['x'] } }],
    [{ $and: [{ x: 1 }, { channels: 'a' }] }, undefined, { subscriptions: ['a'], predicate: { x: 1 } }],
    [{ $and: [{ $and: [{ channels: 'a' }] }, {}] }, undefined, { subscriptions: ['a'] }],
    [
      { channels: 'a', $and: [{ channels: 'b' }, { y: 1 }] },
      undefined,
      { subscriptions: ['a'], predicate: { y: 1, $and: [{ channels: 'b' }] } },
    ],
    [
      { x: { $gt: 1 }, $and: [{ x: { $lt: 3 }, objectId: 'o' }] },
      undefined,
      { predicate: { x: { $gt: 1 }, $and: [{ x: { $lt: 3 }, objectId: 'o' }] } },
    ],
    [
      { $and: [{ $or: [{ x: 1 }] }, { $or: [{ y: 1 }] }] },
      undefined,
      { predicate: { $or: [{ x: 1 }], $and: [{ $or: [{ y: 1 }] }] } },
    ],
  ])('%j, channels %j', (where, channels, expected) => {
    expect(audienceOf(where, channels)).toEqual(expected);
  });

  it('leaves the given condition as it was', () => {
    const where = { objectId: 'x', y: 1 };
    audienceOf(where, undefined);
    expect(where).toEqual({ objectId: 'x', y: 1 });
  });
});

describe('whatever the index answers and the rest together mean the whole condition', () => {
  const parts: readonly JsonObject[] = [
    {},
    { objectId: 'x' },
    { objectId: { $in: ['x', 'y'] } },
    { objectId: { $ne: 'x' } },
    { registrationId: 'r' },
    { channels: 'a' },
    { channels: { $in: ['a', 'b'] } },
    { channels: { $all: ['a', 'b'] } },
    { n: 1 },
    { n: { $gt: 1 } },
    { $or: [{ channels: 'b' }, { n: 2 }] },
    { $and: [{ objectId: 'y' }, { channels: 'b' }] },
  ];
  const docs: readonly JsonObject[] = ['x', 'y'].flatMap((objectId) =>
    [undefined, [], ['a'], ['b', 'a'], ['c']].flatMap((channels) =>
      [1, 2].map((n) => ({ objectId, n, registrationId: n === 1 ? 'r' : 's', ...(channels ? { channels } : {}) })),
    ),
  );
  const isIn = ({ addressed, subscriptions, predicate }: Audience, doc: JsonObject): boolean =>
    (!addressed || addressed.values.includes(String(doc[addressed.field]))) &&
    (!subscriptions || subscriptions.some((name) => [doc['channels']].flat().includes(name))) &&
    (!predicate || compileWhere(predicate)(doc));

  it.each([[undefined], [['a']], [['a', 'c']], [[]]])('with channels %j', (channels) => {
    for (const [first, second, third] of parts.flatMap((a) => parts.flatMap((b) => parts.map((c) => [a, b, c])))) {
      const where = parseWhere({ $and: [second, third], ...first });
      const matches = compileWhere(where);
      const audience = audienceOf(where, channels);
      const isWanted = (doc: JsonObject): boolean =>
        matches(doc) && (!channels || isIn({ subscriptions: channels }, doc));
      const wrong = docs.find((doc) => isIn(audience, doc) !== isWanted(doc));
      if (wrong) throw new Error(JSON.stringify({ where, audience, wrong }));
    }
  });
});

it('only a push for exactly one channel has an only channel', () => {
  expect(onlyChannelOf(audienceOf({}, ['news']))).toBe('news');
  expect(onlyChannelOf(audienceOf({ channels: 'news' }, undefined))).toBe('news');
  expect(onlyChannelOf(audienceOf({ channels: { $all: ['news'] } }, undefined))).toBe('news');
  for (const channels of [[], ['a', 'b'], undefined]) expect(onlyChannelOf(audienceOf({}, channels))).toBeUndefined();
  const walked = { subscriptions: ['few'] };
  expect([['news'], []].map((named) => onlyChannelOf({ ...walked, named }))).toEqual(['news', undefined]);
});

it.each<[JsonObject, readonly string[] | undefined, readonly (readonly string[])[]]>([
  [{}, undefined, []],
  [{ level: 1 }, undefined, []],
  [{ channels: { $nin: ['a'] } }, undefined, []],
  [{ channels: { $in: ['a', 7] } }, undefined, []],
  [{}, [], [[]]],
  [{ channels: 'a' }, undefined, [['a']]],
  [{ channels: 'a' }, ['b', 'c'], [['b', 'c'], ['a']]],
  [{ channels: { $all: ['a', 'b'], $ne: 'c' }, level: 1 }, undefined, [['a'], ['b']]],
  [{ $and: [{ channels: 'a' }, { channels: { $in: ['b'], $exists: true } }] }, undefined, [['a'], ['b']]],
  [{ $or: [{ channels: 'a' }, { channels: { $in: ['b', 'c'] }, level: 1 }] }, undefined, [['a', 'b', 'c']]],
  [{ $or: [{ channels: 'a' }, { level: 1 }] }, undefined, []],
])('of %j, with the channels %j, every device subscribes to some of each of %j', (where, channels, covers) => {
  expect([...channelCovers(audienceOf(parseWhere(where), channels))].sort()).toEqual([...covers].sort());
});

it.each<[Audience, Audience]>([
  [{}, {}],
  [{ predicate: { level: 1 } }, { predicate: { level: 1 } }],
  [
    { subscriptions: ['a', 'b'], named: ['a'] },
    { named: ['a'], predicate: { channels: { $in: ['a', 'b'] } } },
  ],
  [
    { subscriptions: ['a'], predicate: { level: 1 } },
    { predicate: { $and: [{ level: 1 }, { channels: { $in: ['a'] } }] } },
  ],
])('%j walked by all devices is %j', (audience, walked) => {
  expect(withoutSubscriptions(audience)).toEqual(walked);
});
