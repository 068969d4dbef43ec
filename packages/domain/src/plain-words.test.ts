import { z } from 'zod';
import { plainWords } from './plain-words';

const schema = z.strictObject({
  text: z.string().max(3).optional(),
  count: z.int().min(1).max(5).optional(),
  share: z.number().gt(0).lt(1).optional(),
  isOn: z.boolean().optional(),
  list: z.array(z.string()).min(1).max(2).optional(),
  kind: z.enum(['developer', 'commercial', 'other']).optional(),
  only: z.literal('mac').optional(),
  any: z.union([z.string(), z.array(z.string())]).optional(),
  url: z.url().optional(),
  letters: z
    .string()
    .regex(/^[a-z]+$/)
    .optional(),
  own: z.string({ error: 'is this field’s own matter' }).optional(),
  step: z.number().multipleOf(5).optional(),
  pair: z.array(z.number()).length(2).optional(),
  map: z.record(z.string().regex(/^a/), z.number()).optional(),
});

it.each([
  [{ text: 5 }, 'must be text, not a number'],
  [{ text: null }, 'must be text, not null'],
  [{ text: ['a'] }, 'must be text, not a list'],
  [{ text: {} }, 'must be text, not an object'],
  [{ text: 'long' }, 'must have at most 3 characters'],
  [{ count: '1' }, 'must be a number, not text'],
  [{ count: 1.5 }, 'must be a whole number, not a number'],
  [{ count: 0 }, 'must be at least 1'],
  [{ count: 6 }, 'must be at most 5'],
  [{ share: 0 }, 'must be more than 0'],
  [{ share: 1 }, 'must be less than 1'],
  [{ isOn: 'yes' }, 'must be true or false, not text'],
  [{ text: true }, 'must be text, not true'],
  [{ list: [] }, 'must have at least 1 entries'],
  [{ list: ['a', 'b', 'c'] }, 'must have at most 2 entries'],
  [{ pair: [1] }, 'must have exactly 2 entries'],
  [{ kind: 'gold' }, 'must be "developer", "commercial" or "other"'],
  [{ only: 'bearer' }, 'must be "mac"'],
  [{ any: 1 }, 'must be text or a list, not a number'],
  [{ any: ['a', 2] }, '1 must be text, not a number'],
  [{ url: 'here' }, 'must be a URL'],
  [{ letters: 'A' }, 'must match /^[a-z]+$/'],
  [{ own: 1 }, 'is this field’s own matter'],
  [{ step: 3 }, 'must be a multiple of 5'],
  [{ map: { b: 1 } }, 'has a name that is not allowed'],
])('%j: %s', (input, words) => {
  const { error } = schema.safeParse(input, { error: plainWords });
  expect(error?.issues.map(({ message }) => message)).toEqual([words]);
});

it('what is missing is required', () => {
  for (const required of [z.string(), z.enum(['a', 'b']), z.union([z.string(), z.number()]), z.object({})])
    expect(z.object({ a: required }).safeParse({}, { error: plainWords }).error?.issues).toMatchObject([
      { path: ['a'], message: 'is required' },
    ]);
});
