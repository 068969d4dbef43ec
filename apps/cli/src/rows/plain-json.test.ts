import { plainText } from './plain-json';

const LARGE = '1234567890123456789';
/** Beyond 64 bits. */
const HUGE = '123456789012345678901234567890';

it.each([
  ['a number', `{"_id":"a","uid":${LARGE}}`, `{"objectId":"a","uid":${LARGE}}`],
  ['a number beyond 64 bits', `{"_id":"a","uid":-${HUGE}}`, `{"objectId":"a","uid":-${HUGE}}`],
  ['a number of extended JSON', `{"_id":"a","uid":{"$numberLong":"${LARGE}"}}`, `{"objectId":"a","uid":${LARGE}}`],
  ['a long one of these', `{"_id":"a","uid":{"$numberLong":"${HUGE}"}}`, `{"objectId":"a","uid":${HUGE}}`],
  ['a short one of these', '{"_id":"a","uid":{"$numberLong":"-7"}}', '{"objectId":"a","uid":-7}'],
  [
    'numbers in lists and objects',
    `{"_id":"a","deep":{"list":[${LARGE},{"n":${HUGE}},{"$numberInt":"3"}]}}`,
    `{"objectId":"a","deep":{"list":[${LARGE},{"n":${HUGE}},3]}}`,
  ],
  [
    'a number beside a date',
    `{"_id":{"$oid":"507f1f77bcf86cd799439011"},"uid":${LARGE},"_updated_at":{"$date":{"$numberLong":"1795132800000"}}}`,
    `{"objectId":"507f1f77bcf86cd799439011","updatedAt":{"__type":"Date","iso":"2026-11-20T00:00:00.000Z"},"uid":${LARGE}}`,
  ],
  [
    'a number in what no type of MongoDB is',
    `{"_id":"a","x":{"$of":${LARGE}}}`,
    `{"objectId":"a","x":{"$of":${LARGE}}}`,
  ],
])('keeps every digit of %s', (_name, text, plain) => {
  expect(plainText(text)).toBe(plain);
});

it.each(['{"_id":"a"', '{"_id":"a","n":{"$numberLong":"seven"}}', '{"_id":{"$oid":"x"}}'])('refuses %s', (text) => {
  expect(() => plainText(text)).toThrow();
});
