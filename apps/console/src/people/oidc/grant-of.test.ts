import { claimIn, grantOf } from './grant-of';
import type { Grant } from './settings';

const GRANTS: readonly Grant[] = [
  { value: 'push-owners', role: 'owner', apps: 'all' },
  { value: 'shop', role: 'sender', apps: ['shopApp'] },
];

it.each([
  [['shop'], 'sender'],
  [['shop', 'push-owners'], 'owner'],
  ['shop', 'sender'],
  [['SHOP'], undefined],
  [['shop '], undefined],
  ['push-owners shop', undefined],
  [[['push-owners']], undefined],
  [{ 'push-owners': true }, undefined],
  [{ 0: 'push-owners', length: 1 }, undefined],
  [[], undefined],
  [undefined, undefined],
  [null, undefined],
  [true, undefined],
])('the claim %j gives %s', (claim, role) => expect(grantOf(claim, GRANTS)?.role).toBe(role));

it.each([
  ['groups', { groups: ['a'] }, ['a']],
  ['realm_access.roles', { realm_access: { roles: ['a'] } }, ['a']],
  ['https://example.com/roles', { 'https://example.com/roles': ['a'] }, ['a']],
  ['realm_access.roles', { realm_access: 'roles' }, undefined],
  ['constructor.name', {}, undefined],
  ['__proto__', {}, undefined],
  ['groups.length', { groups: ['a'] }, undefined],
])('finds %s in %j', (name, claims, value) => expect(claimIn(claims, name)).toEqual(value));
