import { profileSchema } from './profile';

const profile = { appId: '100000001', appSecret: 's' };

test('the user and the secret of receipts are given together', () => {
  expect(profileSchema.safeParse({ ...profile, receiptUser: 'u', receiptSecret: 's' }).success).toBe(true);
  expect(profileSchema.safeParse({ ...profile, receiptUser: 'u' }).success).toBe(false);
  expect(profileSchema.safeParse({ ...profile, receiptSecret: 's' }).success).toBe(false);
});

test.each([
  ['intentHost', 'a host/with path'],
  ['category', 'chat message'],
  ['badgeClass', ''],
])('a %s that the vendor could not understand is refused', (field, value) => {
  expect(profileSchema.safeParse({ ...profile, [field]: value }).success).toBe(false);
});
