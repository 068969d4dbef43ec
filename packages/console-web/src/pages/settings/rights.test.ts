import { changesOf, editsOf, formOf, NO_RIGHTS, rightsOf } from './rights';

it.each<{ readonly apps: 'all' | string[] }>([
  ...[{ apps: [] }, { apps: 'all' as const }, { apps: ['a'] }, { apps: ['a', 'b'] }],
])('the apps $apps are the same after a look at them', ({ apps }) => {
  expect(rightsOf(formOf({ role: 'viewer', apps }))).toEqual({ role: 'viewer', apps });
});

it('who is given nothing has no app', () => {
  expect(rightsOf(NO_RIGHTS).apps).toEqual([]);
  expect(rightsOf({ ...NO_RIGHTS, apps: ' a, b ,' }).apps).toEqual(['a', 'b']);
});

it('what nobody edited is not sent', () => {
  const saved = formOf({ role: 'viewer', apps: [] });
  expect(changesOf(editsOf({ ...saved, role: 'sender' }, saved), saved)).toEqual({ role: 'sender' });
  expect(changesOf(editsOf({ ...saved, apps: 'a' }, saved), saved)).toEqual({ apps: ['a'] });
  expect(changesOf(editsOf({ ...saved, isAll: true }, saved), saved)).toEqual({ apps: 'all' });
  expect(changesOf(editsOf(saved, saved), saved)).toEqual({});
});

it('what another changed meanwhile is not written back', () => {
  const [before, now] = [formOf({ role: 'owner', apps: ['a'] }), formOf({ role: 'viewer', apps: ['a'] })];
  expect(changesOf(editsOf({ ...before, apps: 'b' }, before), now)).toEqual({ apps: ['b'] });
});
