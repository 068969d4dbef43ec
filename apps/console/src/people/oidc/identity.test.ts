import { isProven, refuseStrange } from './identity';
import { personOf } from './oidc-person';

it.each([
  [{ sub: 'ann' }, undefined],
  [{ sub: 'ann', azp: 'pushfleet' }, undefined],
  [{ sub: 'ann', azp: 'another' }, /for another program/],
  [{ sub: 'ann', azp: ['pushfleet'] }, /for another program/],
  [{}, /names nobody/],
  [{ sub: '' }, /names nobody/],
  [{ sub: 's'.repeat(255) }, undefined],
  [{ sub: 's'.repeat(256) }, /names nobody/],
  [{ sub: 'a\nb' }, /names nobody/],
  [{ sub: 'a\u202Eb' }, /names nobody/],
])('the identity %j is refused: %s', (claims, refused) => {
  const judge = (): void => refuseStrange(claims, 'pushfleet');
  if (refused) expect(judge).toThrow(refused);
  else expect(judge).not.toThrow();
});

it.each([
  ['email', {}, false],
  ['email', { email_verified: false }, false],
  ['email', { email_verified: 'false' }, false],
  ['email', { email_verified: true }, true],
  ['email', { email_verified: 'true' }, true],
  ['groups', { email_verified: false }, true],
])('the claim %s beside %j is proven: %s', (roleClaim, claims, proven) =>
  expect(isProven(claims, roleClaim)).toBe(proven),
);

it('a long name is cut between characters', () => {
  const { name } = personOf({ sub: 'ann', name: `a${'😀'.repeat(80)}` });
  expect(name).toBe(`a${'😀'.repeat(63)}`);
});
