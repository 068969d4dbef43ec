import { audienceOf, type Audience } from './audience';
import type { JsonObject } from './json';

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
  ])('%j, channels %j', (where, channels, expected) => {
    expect(audienceOf(where, channels)).toEqual(expected);
  });

  it('leaves the given condition as it was', () => {
    const where = { objectId: 'x', y: 1 };
    audienceOf(where, undefined);
    expect(where).toEqual({ objectId: 'x', y: 1 });
  });
});
