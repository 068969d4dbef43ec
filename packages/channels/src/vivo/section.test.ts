import { parseSection } from './section';

it('taps and classes of the vendor are passed on', () => {
  const section = {
    skipType: 4,
    skipContent: 'app://page',
    classification: 0,
    category: 'NEWS',
    foregroundShow: false,
  };
  expect(parseSection(section)).toEqual(section);
});

it.each([
  [{ skipType: 2 }, 'skipContent'],
  [{ skipType: 4, skipContent: '' }, 'skipContent'],
  [{ skipType: 5 }, 'skipType'],
  [{ skipType: '1' }, 'skipType'],
  [{ classification: 2 }, 'classification'],
  [{ clientCustomMap: 'x' }, 'clientCustomMap'],
])('%j is refused by the name of %s', (section, field) => {
  expect(() => parseSection(section)).toThrow(new RegExp(`^${field}: `));
});

it.each(['regId', 'regIds', 'alias', 'aliases', 'taskId', 'requestId'])('a section cannot choose %s', (key) => {
  expect(() => parseSection({ [key]: 'x' })).toThrow(key);
});

it.each(['callback', 'callback.id', 'callback.param'])('a section cannot say where receipts go (%s)', (key) => {
  expect(() => parseSection({ extra: { [key]: 'x' } })).toThrow(`extra.${key}`);
});

it('custom pairs may have any names and become text', () => {
  expect(parseSection({ clientCustomMap: { alias: 'x', n: 1, o: { a: 1 } } })).toEqual({
    clientCustomMap: { alias: 'x', n: '1', o: '{"a":1}' },
  });
});
