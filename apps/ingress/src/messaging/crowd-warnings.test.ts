import { crowdWarnings } from './crowd-warnings';

const NONE = { cut: [], crowded: [], unasked: [] };

test.each([
  ['cut', /^more than 10 devices have .* those that were saved last count: Ann$/],
  ['crowded', /^more than 64 devices have .*, or had until lately, and none of them counts: Ann$/],
  ['unasked', /^finding the devices .* takes more than 5000 look-ups .*; send to fewer at once: Ann$/],
])('clients that are %s are told the reason that is theirs', (reason, words) => {
  const expected = [{ path: 'offline_clients', message: expect.stringMatching(words) }];
  expect(crowdWarnings({ ...NONE, [reason]: ['Ann'] })).toEqual(expected);
});

test('without such clients nobody is warned', () => {
  expect(crowdWarnings(NONE)).toEqual([]);
});
