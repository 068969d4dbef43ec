import { profileKey, profileOfKey } from './app-profile';

test.each([
  { app: 'chess', profile: 'game' },
  { app: 'chess', profile: '' },
])('a name leads back to the profile that it was made of', (of) => {
  expect(profileOfKey(profileKey(of))).toEqual(of);
});
