import { bindings, each, encoderOf, type Call, type Params } from './params';

const encoded = (params: Params, values: Readonly<Record<string, unknown>>): Call => {
  const call: Call = { keys: [], args: [] };
  encoderOf(params)(values, call);
  return call;
};

describe('the parameters of a script', () => {
  it('have fixed places as long as there is no list', () => {
    const params = { record: 'key', now: 'text', ledger: 'key', limit: 'number' } as const;
    expect(bindings(params)).toBe('local record, now, ledger, limit = KEYS[1], ARGV[1], KEYS[2], tonumber(ARGV[2])');
    expect(encoded(params, { record: 'r', now: 7, ledger: 'l', limit: 3 })).toEqual({ keys: ['r', 'l'], args: [7, 3] });
  });

  it('stand in front of the lists, each of which tells its length', () => {
    const params = { boxes: 'keys', words: 'texts', now: 'text' } as const;
    const call = encoded(params, { boxes: ['a', 'b'], words: ['x'], now: 7 });
    expect(call).toEqual({ keys: ['a', 'b'], args: [7, 2, 1, 'x'] });
  });

  it('of a list of records keep their lists beside them', () => {
    const params = { pushes: each({ entries: 'texts', record: 'key', id: 'text' }) };
    const call = encoded(params, {
      pushes: [
        { entries: ['x', 'y'], record: 'r1', id: 1 },
        { entries: [], record: 'r2', id: 2 },
      ],
    });
    expect(call).toEqual({ keys: ['r1', 'r2'], args: [2, 1, 2, 'x', 'y', 2, 0] });
  });

  it('are none where there is nothing to take', () => {
    expect(bindings({})).toBe('');
  });
});
