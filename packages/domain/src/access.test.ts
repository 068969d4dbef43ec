import { appScopeSchema, coversApp, coversRole, ROLES } from './access';

test('a role may do what those before it may, and no more', () => {
  for (const [i, has] of ROLES.entries())
    for (const [j, least] of ROLES.entries()) expect(coversRole(has, least)).toBe(i >= j);
});

test('apps are all of them, or those that are named', () => {
  expect(coversApp('all', 'a')).toBe(true);
  expect(coversApp(['a', 'b'], 'b')).toBe(true);
  expect(coversApp(['a', 'b'], 'c')).toBe(false);
  expect(coversApp([], 'all')).toBe(false);
});

test.each([['everything'], [['']], [['a b']], [Array.from({ length: 501 }, (_, i) => `app${i}`)]])(
  'is no scope: %j',
  (scope) => expect(appScopeSchema.safeParse(scope).success).toBe(false),
);
