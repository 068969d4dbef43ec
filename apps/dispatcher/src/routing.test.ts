import type { PushContent } from '@pushfleet/domain';
import { routerFor } from './routing';

const traits = new Map([
  ['hms', { passThrough: true }],
  ['mz', { passThrough: false }],
]);
const profiles = new Set(['hms/_default', 'mz/_default', 'mz/second']);
const content = (data: PushContent['data'], sections: PushContent['sections'] = {}): PushContent => ({
  data,
  sections,
});
const router = (pushed: PushContent, hybrid = true) => routerFor(pushed, { hybrid }, { traits, profiles });
const shown = router(content({ alert: 'x' }));
const silent = router(content({ silent: true }));

test('a device goes the way of its channel with its profile', () => {
  expect(shown.route('hms/_default')).toEqual({ channel: 'hms', profile: '_default' });
  expect(shown.route('mz/second')).toEqual({ channel: 'mz', profile: 'second' });
});

test('a profile that does not exist costs its own devices only', () => {
  expect(shown.route('hms/second')).toEqual({ channel: 'hms', discard: 'profile-missing' });
});

test('a silent push is discarded where the channel has no pass-through, and delivered elsewhere', () => {
  expect(silent.route('mz/_default')).toEqual({ channel: 'mz', discard: 'silent-unsupported' });
  expect(silent.route('hms/_default')).toEqual({ channel: 'hms', profile: '_default' });
});

test('a section decides for its own channel whether the push is silent', () => {
  const mixed = router(content({ silent: true }, { mz: { silent: false, alert: 'x' } }));
  expect(mixed.route('mz/_default')).toEqual({ channel: 'mz', profile: '_default' });
});

test('a missing profile is told before what the push asks for', () => {
  expect(silent.route('mz/third')).toEqual({ channel: 'mz', discard: 'profile-missing' });
});

test('with hybrid push off no vendor is asked', () => {
  expect(router(content({ alert: 'x' }), false).route('hms/_default')).toMatchObject({ channel: 'own' });
});
