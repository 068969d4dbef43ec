import { z } from 'zod';
import { checked } from './checked';

const schema = z.looseObject({ a: z.string(), channels: z.array(z.string()).optional() });

it('what is right comes back as it came, keys in their order', () => {
  const input = { z: 1, a: 'x' };
  expect(checked(schema, input)).toBe(input);
});

it.each([
  [{}, 'required-field', 'data.a: is required'],
  [{ a: 1 }, 'wrong-type', 'data.a: must be text, not a number'],
  [{ a: 'x', channels: [1] }, 'channel-name', expect.stringMatching(/^data\.channels\.0: /)],
])('%j is refused by naming the field', (input, problem, message) => {
  expect(() => checked(schema, input, 'data')).toThrow(expect.objectContaining({ problem, message }));
});

it('the body itself is named when it is wrong as a whole', () => {
  expect(() => checked(z.looseObject({}, { error: 'must be a JSON object' }), [])).toThrow(
    'the body must be a JSON object',
  );
});

it('a length that is none is no reason to fail', () => {
  const names = z.looseObject({ list: z.array(z.string()).min(1) });
  const input: unknown = JSON.parse('{"list":{"length":{"toString":1}}}');
  expect(() => checked(names, input)).toThrow(expect.objectContaining({ problem: 'wrong-type' }));
});
