import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseReceipt } from './receipt';

const body = readFileSync(join(__dirname, '__fixtures__', 'receipts.json'), 'utf8');

test('a receipt tells who has got the message, and nothing about a status that is not known', () => {
  expect(parseReceipt({ headers: {}, body }).receipts).toEqual([
    { kind: 'delivered', pushId: 'push-1', registrationId: 'regA', vendorStatus: '40000002', at: 1700000000000 },
    { kind: 'delivered', pushId: 'push-1', registrationId: 'regB', vendorStatus: '0', at: 1700000000001 },
    { kind: 'ignored', pushId: 'push-1', registrationId: 'regC', vendorStatus: '40000009', at: 1700000000002 },
    { kind: 'delivered', registrationId: 'regD', vendorStatus: '40000002' },
  ]);
});

test('one unreadable entry does not hide its neighbours', () => {
  const mixed = JSON.stringify({ statuses: [null, { token: 7 }, { token: 'regA', status: 0 }] });
  expect(parseReceipt({ headers: {}, body: mixed }).receipts).toMatchObject([{ registrationId: 'regA' }]);
});

test('the reply says success', () => {
  const { reply } = parseReceipt({ headers: {}, body });
  expect(reply.status).toBe(200);
  expect(JSON.parse(reply.body)).toEqual({ code: '0', message: 'success' });
});

test('a token that only looks like text changes nothing', () => {
  const body = '{"statuses":[{"token":{"length":{"toString":1}},"status":0}]}';
  expect(parseReceipt({ headers: {}, body }).receipts).toEqual([]);
});
