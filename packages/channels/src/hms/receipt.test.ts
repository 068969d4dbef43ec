import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RawReceipt } from '@pushfleet/channel-kit';
import { parseReceipt } from './receipt';

const profile = { appId: '100000001', appSecret: 'app-secret' };
const receiptSecret = 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const signedProfile = { ...profile, receiptUser: 'pushuser', receiptSecret };

const fixture = (name: string): string => readFileSync(join(__dirname, '__fixtures__', `${name}.json`), 'utf8');
const callback = (body: string, signature?: string): RawReceipt => ({
  headers: { 'x-huawei-callback-id': signature },
  body,
});

const TIMESTAMP = '1563105451261';
const NONCE = 'a07bfa17-6d82-4b53-a9a2-07cfef5ceef1';
const signature = (value: string, separator = '; '): string =>
  [`timestamp=${TIMESTAMP}`, `nonce=${NONCE}`, `value=${value}`].join(separator);

test('a receipt of version 1 tells what became of each device', () => {
  const { receipts } = parseReceipt(callback(fixture('receipts-v1')), profile);
  expect(receipts).toEqual([
    { kind: 'delivered', pushId: 'push-1', registrationId: 'regA', vendorStatus: '0', at: 1563105451261 },
    { kind: 'registration-gone', pushId: 'push-1', registrationId: 'regB', vendorStatus: '5', at: 1563105451262 },
    { kind: 'notifications-off', pushId: 'push-1', registrationId: 'regC', vendorStatus: '201', at: 1563105451263 },
    { kind: 'ignored', registrationId: 'regD', vendorStatus: '15', at: 1563105451264 },
  ]);
});

test('a receipt of version 2 is read where it says that something was delivered', () => {
  const { receipts } = parseReceipt(callback(fixture('receipts-v2')), profile);
  expect(receipts).toEqual([
    { kind: 'delivered', pushId: 'push-1', registrationId: 'regA', vendorStatus: '0', at: 1563105451261 },
    { kind: 'notifications-off', pushId: 'push-1', registrationId: 'regC', vendorStatus: '6', at: 1563105451262 },
  ]);
});

test('one unreadable entry does not hide its neighbours', () => {
  const body = JSON.stringify({ statuses: [null, { token: 7 }, { token: 'regA', status: 0 }] });
  expect(parseReceipt(callback(body), profile).receipts).toMatchObject([{ registrationId: 'regA' }]);
});

test('a thousand receipts of one callback are all read', () => {
  const statuses = Array.from({ length: 1000 }, (_, i) => ({ token: `reg${i}`, status: 0, biTag: 'push-1' }));
  expect(parseReceipt(callback(JSON.stringify({ statuses })), profile).receipts).toHaveLength(1000);
});

test('the vendor reads both of its spellings of success in the reply', () => {
  const { reply } = parseReceipt(callback('{"statuses":[]}'), profile);
  expect(JSON.parse(reply.body)).toEqual({ code: '0', message: 'success', errno: '0', errmsg: 'success' });
});

test.each([
  ['the bytes of the secret', 'ExiI/JEfVuNt5EEHmL4DCEsI4zRhqQGThyIhNgbK7c0='],
  ['the bytes that the secret is the base64 of', 'E7oPYVIc2EodJzT7HVrm9uDtGxmbawS8yuXYfS18/4E='],
])('a callback signed with %s is believed', (_, value) => {
  for (const separator of ['; ', ';']) {
    const { receipts } = parseReceipt(callback(fixture('receipts-v1'), signature(value, separator)), signedProfile);
    expect(receipts).toHaveLength(4);
  }
});

test.each([
  ['no signature', undefined],
  ['an empty signature', ''],
  ['a signature without a value', `timestamp=${TIMESTAMP}; nonce=${NONCE}`],
  ['a wrong signature', signature('ExiI/JEfVuNt5EEHmL4DCEsI4zRhqQGThyIhNgbK7d0=')],
  ['a truncated signature', signature('ExiI')],
  ['a signature over another time', signature('ExiI/JEfVuNt5EEHmL4DCEsI4zRhqQGThyIhNgbK7c0=').replace('156', '157')],
])('a callback with %s is refused', (_, header) => {
  expect(() => parseReceipt(callback(fixture('receipts-v1'), header), signedProfile)).toThrow(
    expect.objectContaining({ name: 'ReceiptRefused' }),
  );
});

test('a secret that is no base64 does not open the door to an empty key', () => {
  const value = createHmac('sha256', '').update(`${TIMESTAMP}${NONCE}pushuser`).digest('base64');
  const odd = { ...signedProfile, receiptSecret: '!!!!' };
  expect(() => parseReceipt(callback('{"statuses":[]}', signature(value)), odd)).toThrow(
    expect.objectContaining({ name: 'ReceiptRefused' }),
  );
});

test('a token that only looks like text changes nothing', () => {
  const body = '{"statuses":[{"token":{"length":{"toString":1}},"status":0}]}';
  expect(parseReceipt(callback(body), profile).receipts).toEqual([]);
});
