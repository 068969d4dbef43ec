import { mayRepeat, type RepeatPolicy, type UnknownCall } from './may-repeat';

const rule = (policy: Partial<RepeatPolicy>, call: Partial<UnknownCall>): boolean =>
  mayRepeat(
    { repeatUnknown: 'default', deduplicates: 'no-call', ...policy },
    { isSilent: false, isAddressed: false, devices: 1000, unknowns: 0, ...call },
  );

type Row = readonly [words: string, asked: readonly [Partial<RepeatPolicy>, Partial<UnknownCall>], expected: boolean];

test.each<Row>([
  ['a campaign is not repeated', [{}, {}], false],
  ['an addressed push is repeated once', [{}, { isAddressed: true, devices: 1 }], true],
  ['and not twice', [{}, { isAddressed: true, devices: 1, unknowns: 1 }], false],
  ['a silent message alerts nobody', [{}, { isSilent: true, unknowns: 9 }], true],
  ['a vendor that tells repeats is asked again', [{ deduplicates: 'every-call' }, { unknowns: 9 }], true],
  ['one that tells repeats for one device, for one', [{ deduplicates: 'single-device' }, { devices: 1 }], true],
  ['and not for a list', [{ deduplicates: 'single-device' }, {}], false],
  ['a profile may forbid every repeat', [{ repeatUnknown: 'never', deduplicates: 'every-call' }, {}], false],
  ['a profile may want one', [{ repeatUnknown: 'once' }, {}], true],
  ['and no more than one', [{ repeatUnknown: 'once', deduplicates: 'every-call' }, { unknowns: 1 }], false],
])('%s', (_, [policy, call], expected) => {
  expect(rule(policy, call)).toBe(expected);
});
