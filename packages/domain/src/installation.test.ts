import { channelsOf } from './channels-of';
import { applyClientSave } from './client-save';
import { applySave } from './installation';
import { isChannelName, isRegistrationId } from './wire-values';
import { InvalidInput, type InputProblem } from './invalid-input';
import type { Json, JsonObject } from './json';

const save = (body: JsonObject, current: JsonObject = {}): JsonObject => applySave(current, body);

describe('a save', () => {
  it('overwrites what it names and leaves the rest', () => {
    expect(save({ b: 2, c: { d: [1] } }, { a: 1, b: 1 })).toEqual({ a: 1, b: 2, c: { d: [1] } });
  });

  it('null and Delete remove a field', () => {
    expect(save({ a: null, b: { __op: 'Delete' }, c: null }, { a: 1, b: 2 })).toEqual({});
  });

  it('leaves the given document as it was', () => {
    const current = { channels: ['a'] };
    save({ channels: { __op: 'Add', objects: ['b'] } }, current);
    expect(current).toEqual({ channels: ['a'] });
  });

  it.each(['objectId', 'createdAt', 'updatedAt', 'className', '_version', 'serverData', '__type', '__internal'])(
    'ignores %s, which clients send back as they read it',
    (key) => {
      expect(save({ [key]: 'x', a: 1 })).toEqual({ a: 1 });
    },
  );

  it('keeps no column that SDKs take for a failure', () => {
    expect(save({ error: 'x', errors: 1, o: { error: 2 } })).toEqual({ errors: 1, o: { error: 2 } });
  });

  it('a __proto__ key changes nothing', () => {
    const next = save(JSON.parse('{"__proto__":{"admin":true},"a":1}') as JsonObject);
    expect(next).toEqual({ a: 1 });
    expect(Object.getPrototypeOf(next)).toBe(Object.prototype);
  });
});

describe('a name with dots', () => {
  const info = { name: 'x', count: 1, tags: ['a'] };

  it.each<[what: string, body: JsonObject, result: Json]>([
    ['sets a part', { 'info.name': 'y' }, { ...info, name: 'y' }],
    ['sets a part that was not there', { 'info.a.b': 1 }, { ...info, a: { b: 1 } }],
    ['counts', { 'info.count': { __op: 'Increment', amount: 2 } }, { ...info, count: 3 }],
    ['adds to a list', { 'info.tags': { __op: 'AddUnique', objects: ['a', 'b'] } }, { ...info, tags: ['a', 'b'] }],
    ['removes a part', { 'info.tags': { __op: 'Delete' }, 'info.count': null }, { name: 'x' }],
  ])('%s and leaves the others', (_, body, result) => {
    const current = { info, a: 1 };
    expect(save(body, current)).toEqual({ info: result, a: 1 });
    expect(current).toEqual({ info: { name: 'x', count: 1, tags: ['a'] }, a: 1 });
  });

  it('makes the column where there is none, and none for a removal', () => {
    expect(save({ 'info.name': 'y' })).toEqual({ info: { name: 'y' } });
    expect(save({ 'info.name': { __op: 'Delete' } })).toEqual({});
  });

  it('leads nowhere but into what is stored', () => {
    const next = save(JSON.parse('{"info.__proto__":{"admin":true}}') as JsonObject, { info: {} });
    expect(Object.getPrototypeOf(next['info'])).toBe(Object.prototype);
    expect(save({ 'info.constructor.x': 1 }, { info: {} })).toEqual({ info: { constructor: { x: 1 } } });
  });

  it('changes what an earlier name of the same save brought, and neither that nor what was stored', () => {
    const [current, body] = [{ info: { a: { x: 1 } } }, { new: { b: 1 }, 'new.c': 2, 'info.a.y': 2, 'info.a.z': 3 }];
    expect(save(body, current)).toEqual({ new: { b: 1, c: 2 }, info: { a: { x: 1, y: 2, z: 3 } } });
    expect([current, body.new]).toEqual([{ info: { a: { x: 1 } } }, { b: 1 }]);
  });

  it.each<[string, Json]>([
    ['set', 1],
    ['removed', null],
  ])('costs no more where thousands of parts of one column are %s', (_, value) => {
    const parts = Array.from({ length: 7000 }, (__, i) => i.toString(36));
    const info = Object.fromEntries(parts.map((part) => [part, 0]));
    const body = Object.fromEntries(parts.map((part) => [`info.${part}`, value]));
    const began = process.cpuUsage();
    expect(Object.keys(save(body, { info })['info'] as JsonObject)).toHaveLength(value === null ? 0 : parts.length);
    expect(process.cpuUsage(began).user).toBeLessThan(1_000_000);
  });

  it('of what the service alone sets is ignored', () => {
    expect(save({ 'objectId.x': 1, 'error.x': 1, '__type.x': 1, a: 1 })).toEqual({ a: 1 });
  });

  it.each<[JsonObject, InputProblem]>([
    [{ 'text.x': 1 }, 'wrong-type'],
    [{ 'list.0': 1 }, 'wrong-type'],
    [{ 'channels.x': 1 }, 'wrong-type'],
    [{ 'installationId.x': 'i' }, 'wrong-type'],
    [{ 'a..b': 1 }, 'key-name'],
    [{ 'a.': 1 }, 'key-name'],
    [{ '.a': 1 }, 'key-name'],
    [{ 'a.$b': 1 }, 'key-name'],
    [{ [`a${'.b'.repeat(200)}`]: 1 }, 'key-name'],
  ])('%j is refused by its name', (body, problem) => {
    const current = { text: 't', list: [0] };
    expect(() => save(body, current)).toThrow(expect.objectContaining({ problem }) as InvalidInput);
  });

  it('changes no column that is for the master key', () => {
    const masterOnly = { columns: ['plan'], channelPrefixes: [] };
    const current = { plan: { level: 1 } };
    const body = { 'plan.level': 9, 'valid.x': false, 'info.name': 'y' };
    expect(applyClientSave(current, body, masterOnly)).toEqual({ ...current, info: { name: 'y' } });
  });
});

describe('operations', () => {
  it.each<{ does: string; old?: Json; operation: JsonObject; result: Json }>([
    { does: 'Add appends', old: ['a'], operation: { __op: 'Add', objects: ['a', 'b'] }, result: ['a', 'a', 'b'] },
    { does: 'Add starts a list', operation: { __op: 'Add', objects: ['a'] }, result: ['a'] },
    {
      does: 'AddUnique appends what is new',
      old: ['a'],
      operation: { __op: 'AddUnique', objects: ['a', 'b', 'b'] },
      result: ['a', 'b'],
    },
    {
      does: 'AddUnique compares objects by content',
      old: [{ x: 1 }],
      operation: { __op: 'AddUnique', objects: [{ x: 1 }] },
      result: [{ x: 1 }],
    },
    {
      does: 'Remove takes every equal item out',
      old: ['a', 'b', 'a'],
      operation: { __op: 'Remove', objects: ['a'] },
      result: ['b'],
    },
    { does: 'Remove from nothing leaves an empty list', operation: { __op: 'Remove', objects: ['a'] }, result: [] },
    { does: 'Increment adds', old: 2, operation: { __op: 'Increment', amount: 3 }, result: 5 },
    { does: 'Increment starts at nothing and adds one', operation: { __op: 'Increment' }, result: 1 },
    { does: 'Decrement subtracts', old: 2, operation: { __op: 'Decrement', amount: 3 }, result: -1 },
    { does: 'BitAnd keeps common bits', old: 5, operation: { __op: 'BitAnd', value: 4 }, result: 4 },
    { does: 'BitOr sets bits', old: 5, operation: { __op: 'BitOr', value: 2 }, result: 7 },
    { does: 'BitXor flips bits', old: 5, operation: { __op: 'BitXor', value: 1 }, result: 4 },
    { does: 'BitOr starts at nothing', operation: { __op: 'BitOr', value: 4 }, result: 4 },
    {
      does: 'BitOr is exact beyond 32 bits and beyond doubles',
      old: 2 ** 40,
      operation: { __op: 'BitOr', value: 4_611_686_018_427_387_904n },
      result: 4_611_687_117_939_015_680n,
    },
  ])('$does', ({ old, operation, result }) => {
    expect(save({ f: operation }, old === undefined ? {} : { f: old })).toEqual({ f: result });
  });

  it.each<[JsonObject, JsonObject]>([
    [{ __op: 'AddRelation', objects: [] }, {}],
    [{ __op: 'constructor' }, {}],
    [{ __op: 'Add', objects: 'a' }, {}],
    [{ __op: 'Add' }, {}],
    [{ __op: 'Add', objects: [] }, { f: 'text' }],
    [{ __op: 'Increment', amount: '1' }, {}],
    [{ __op: 'Increment' }, { f: 'text' }],
    [{ __op: 'BitOr' }, {}],
    [{ __op: 'BitOr', value: 0.5 }, {}],
    [{ __op: 'BitOr', value: 1 }, { f: 0.5 }],
    [{ __op: 'BitOr', value: 1 }, { f: 'text' }],
  ])('%j on %j is refused, naming the field', (operation, current) => {
    expect(() => save({ f: operation }, current)).toThrow(InvalidInput);
    expect(() => save({ f: operation }, current)).toThrow(/^f\b/);
  });
});

describe('checks on the result', () => {
  it.each<[JsonObject, InputProblem, string]>([
    [{ vendor: 7 }, 'wrong-type', 'vendor'],
    [{ installationId: {} }, 'wrong-type', 'installationId'],
    [{ registrationId: ['r'] }, 'wrong-type', 'registrationId'],
    [{ deviceToken: 1 }, 'wrong-type', 'deviceToken'],
    [{ deviceType: false }, 'wrong-type', 'deviceType'],
    [{ timeZone: 8 }, 'wrong-type', 'timeZone'],
    [{ registrationId: 'a,b' }, 'wrong-type', 'registrationId'],
    [{ deviceProfile: '1abc' }, 'wrong-type', 'deviceProfile'],
    [{ deviceProfile: 'a-b' }, 'wrong-type', 'deviceProfile'],
    [{ valid: 'true' }, 'wrong-type', 'valid'],
    [{ channels: 'news' }, 'wrong-type', 'channels'],
    [{ channels: ['a b'] }, 'channel-name', 'a b'],
    [{ channels: [7] }, 'channel-name', 'channels'],
    [{ channels: [['news']] }, 'channel-name', 'channels.0: ["news"] is not a channel name'],
    [{ '9lives': 1 }, 'key-name', '9lives'],
    [{ 'a-b': 1 }, 'key-name', 'a-b'],
    [{ $where: 'x' }, 'key-name', '$where'],
    [{ _secret: 1 }, 'key-name', '_secret'],
    [{ ['f'.repeat(129)]: 1 }, 'key-name', 'at most 128 characters'],
    [{ channels: ['c'.repeat(256)] }, 'channel-name', 'at most 255 characters'],
  ])('%j is refused', (body, problem, word) => {
    let refused: unknown;
    try {
      save(body);
    } catch (error) {
      refused = error;
    }
    expect(refused).toMatchObject({ problem, message: expect.stringContaining(word) });
  });

  it.each<[JsonObject]>([[{ deviceProfile: '' }], [{ deviceProfile: '_default' }], [{ deviceProfile: 'game_2' }]])(
    '%j is accepted',
    (body) => {
      expect(save(body)).toEqual(body);
    },
  );

  it('an operation cannot bring in a bad channel name', () => {
    expect(() => save({ channels: { __op: 'AddUnique', objects: ['a/b'] } })).toThrow(/channel name/);
  });
});

describe('names and ids', () => {
  it.each(['', 'news', 'A-b_c=1', '新闻', 'x'.repeat(255)])('%j is a channel name', (name) => {
    expect(isChannelName(name)).toBe(true);
  });
  it.each(['a b', 'a/b', 'a:b', 'é', 'a.b', '{x}', 'a\n', 'x'.repeat(256)])('%j is none', (name) => {
    expect(isChannelName(name)).toBe(false);
  });

  it.each(['', 'abc-DEF_1:2/3+4==', 'x'.repeat(512)])('%j is a registrationId', (id) => {
    expect(isRegistrationId(id)).toBe(true);
  });
  it.each(['a,b', 'a;b', 'a b', 'a\tb', 'a\nb', 'a\u0000', 'a\u007f', 'a\u3000b', 'x'.repeat(513), '中'.repeat(171)])(
    '%j is none',
    (id) => {
      expect(isRegistrationId(id)).toBe(false);
    },
  );

  it('a channel that is listed twice counts once', () => {
    expect(channelsOf({ channels: ['a', 'b', 'a'] })).toEqual(['a', 'b']);
    expect(channelsOf({})).toEqual([]);
  });
});
