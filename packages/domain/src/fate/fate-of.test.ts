import type { PushContent } from '../message';
import { fatesOf, traitsOf, type Fate, type FateRules } from './fate-of';

const vendor = (name: string, passThrough: boolean) => ({ name, capabilities: { passThrough } });
const RULES: FateRules = {
  hybrid: true,
  profiles: new Set(['hms/_default', 'hms/game', 'mz/_default']),
  channels: traitsOf([vendor('hms', true), vendor('mz', false), vendor('mi', true)]),
};
const fateOf = (bucket: string, rules: FateRules = RULES, content?: PushContent): Fate =>
  fatesOf(rules, content)(bucket);
const silent = (sections: PushContent['sections'] = {}): PushContent => ({ data: { silent: true }, sections });

describe('with hybrid on', () => {
  it.each<[string, Fate]>([
    ['hms/_default', { channel: 'hms', profile: '_default' }],
    ['hms/game', { channel: 'hms', profile: 'game' }],
    ['hms/other', { channel: 'hms', discard: 'profile-missing' }],
    ['hms/*', { channel: 'hms', discard: 'profile-missing' }],
    ['mi/_default', { channel: 'mi', discard: 'profile-missing' }],
    ['retired:hms', { channel: 'hms', discard: 'registration-gone' }],
    ['unregistered', { channel: 'unregistered', discard: 'registration-missing' }],
    ['unknown', { channel: 'unknown', discard: 'vendor-unknown' }],
    ['ios', { channel: 'ios', discard: 'platform-unsupported' }],
    ['own', { channel: 'own', profile: '' }],
  ])('%s', (bucket, fate) => {
    expect(fateOf(bucket)).toEqual(fate);
  });
});

describe('with hybrid off', () => {
  const rules = { ...RULES, hybrid: false };

  it.each(['hms/_default', 'mi/other', 'retired:hms', 'unregistered', 'unknown', 'own'])(
    '%s is served by own',
    (bucket) => {
      expect(fateOf(bucket, rules)).toEqual({ channel: 'own', profile: '' });
    },
  );

  it('ios stays unsupported', () => {
    expect(fateOf('ios', rules)).toEqual({ channel: 'ios', discard: 'platform-unsupported' });
  });
});

describe('a silent push', () => {
  it('is discarded where the channel has no pass-through, and delivered elsewhere', () => {
    expect(fateOf('mz/_default', RULES, silent())).toEqual({ channel: 'mz', discard: 'silent-unsupported' });
    expect(fateOf('hms/_default', RULES, silent())).toEqual({ channel: 'hms', profile: '_default' });
    expect(fateOf('own', RULES, silent())).toEqual({ channel: 'own', profile: '' });
  });

  it('is silent for a channel unless its section says otherwise', () => {
    const shownByOne = silent({ mz: { silent: false, alert: 'x' } });
    expect(fateOf('mz/_default', RULES, shownByOne)).toEqual({ channel: 'mz', profile: '_default' });
  });

  it('is told of a missing profile first', () => {
    expect(fateOf('mz/third', RULES, silent())).toEqual({ channel: 'mz', discard: 'profile-missing' });
  });
});

it('a fleet without the own channel says so instead of falling back', () => {
  const rules = { ...RULES, channels: new Map([['hms', { passThrough: true }]]) };
  expect(fateOf('own', rules)).toEqual({ channel: 'own', discard: 'channel-unavailable' });
  expect(fateOf('hms/_default', { ...rules, hybrid: false })).toEqual({
    channel: 'own',
    discard: 'channel-unavailable',
  });
});
