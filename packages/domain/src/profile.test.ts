import { budgetOf, isProfileName, packageNameSchema, profileOf, secretSchema } from './profile';

it.each(['_default', 'a', 'Game_2', 'x'.repeat(64)])('%s is a profile name', (name) => {
  expect(isProfileName(name)).toBe(true);
});
it.each(['', '_other', '2nd', 'a-b', 'a/b', 'a b', 'x'.repeat(65)])('%j is none', (name) => {
  expect(isProfileName(name)).toBe(false);
});

it('a device that names no profile has the default one', () => {
  expect([undefined, '', 7, 'game'].map(profileOf)).toEqual(['_default', '_default', '_default', 'game']);
});

it('a package name is measured in bytes', () => {
  expect(packageNameSchema.safeParse('x'.repeat(128)).success).toBe(true);
  expect(packageNameSchema.safeParse('x'.repeat(129)).success).toBe(false);
  expect(packageNameSchema.safeParse('中'.repeat(43)).success).toBe(false);
});

describe('the limits of a profile', () => {
  const channel = { requestsPerSecond: 500 };

  it.each([
    [undefined, { requestsPerSecond: 500 }],
    [{}, { requestsPerSecond: 500 }],
    [{ requestsPerSecond: 900 }, { requestsPerSecond: 900 }],
    [{ requestsPerSecond: 0 }, {}],
    [
      { devicesPerSecond: 0.5, callsInFlight: 2 },
      { requestsPerSecond: 500, devicesPerSecond: 0.5, callsInFlight: 2 },
    ],
  ])('%j stands before its channel, limit by limit', (own, expected) => {
    expect(budgetOf(channel, own)).toEqual(expected);
  });
});

test.each(['secret\n', ' secret', '\tsecret\r\n', '\ufeffsecret', 'secret\u200b', '\u202asecret\u202c \u200b'])(
  'a secret pasted as %j is saved without what surrounds it',
  (pasted) => {
    expect(secretSchema.parse(pasted)).toBe('secret');
  },
);

test.each(['se\ncret', 'se\u0000cret', 'se\u200bcret', 'se\u00adcret', '密钥：secret', '\u200b', ' \n', ''])(
  '%j is no secret',
  (pasted) => {
    expect(secretSchema.safeParse(pasted).success).toBe(false);
  },
);
