import { controlFor, type Control } from '@pushfleet/store';
import { isLooser } from './controls';

const since = 0;
const whole: Control = { state: 'paused', since };
const app: Control = { state: 'discarding', app: 'a', since };
const drain: Control = { state: 'draining', app: 'd', since };
const profile: Control = { state: 'paused', app: 'a', profile: 'p', since };

it('nothing decided, nothing holds', () => {
  expect(controlFor([], { app: 'a', profile: 'p' })).toBeUndefined();
  expect(controlFor([app, profile], { app: 'b', profile: 'p' })).toBeUndefined();
});

it.each([
  ['a', 'p', profile],
  ['a', 'q', app],
  ['b', 'p', whole],
])('of several decisions about %s/%s the narrowest holds', (of, named, expected) => {
  expect(controlFor([whole, profile, app], { app: of, profile: named })).toBe(expected);
});

it.each<{ readonly name: string; before: readonly Control[]; after: readonly Control[]; isLooser: boolean }>([
  { name: 'a pause that is lifted', before: [whole], after: [], isLooser: true },
  {
    name: 'a pause that becomes a discard',
    before: [profile],
    after: [{ ...profile, state: 'discarding' }],
    isLooser: true,
  },
  {
    name: 'a pause that becomes a drain',
    before: [profile],
    after: [{ ...profile, state: 'draining' }],
    isLooser: true,
  },
  { name: 'a discard that begins', before: [], after: [app], isLooser: true },
  { name: 'a discard that ends', before: [app], after: [], isLooser: false },
  { name: 'a drain that begins', before: [], after: [drain], isLooser: false },
  { name: 'a drain that ends in a pause', before: [drain], after: [{ ...drain, state: 'paused' }], isLooser: false },
  { name: 'a drain that is lifted', before: [drain], after: [], isLooser: true },
  { name: 'a pause that begins', before: [app], after: [app, whole], isLooser: false },
  { name: 'no change', before: [app, whole], after: [app, whole], isLooser: false },
])('$name: work that waits is looked at at once: $isLooser', ({ before, after, isLooser: expected }) => {
  expect(isLooser(before, after)).toBe(expected);
});
