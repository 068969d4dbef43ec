import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseReceipt } from './receipt';

const json = readFileSync(join(__dirname, '__fixtures__', 'receipts.json'), 'utf8');
const form = new URLSearchParams({ data: json }).toString();

test.each([
  ['a form', form],
  ['bare JSON', json],
])('receipts arrive as %s', (_, body) => {
  const { receipts, reply } = parseReceipt({ headers: {}, body });
  expect(reply.status).toBe(200);
  expect(receipts).toEqual([
    { kind: 'delivered', pushId: 'p1', registrationId: 'regA', vendorStatus: '1', at: 1700000000000 },
    { kind: 'delivered', pushId: 'p1', registrationId: 'regB', vendorStatus: '1', at: 1700000000000 },
    { kind: 'clicked', pushId: 'p1', registrationId: 'regA', vendorStatus: '2', at: 1700000001000 },
    { kind: 'registration-gone', pushId: 'p2', registrationId: 'regC', vendorStatus: '16', at: 1700000002000 },
    { kind: 'notifications-off', pushId: 'p2', registrationId: 'regD', vendorStatus: '32', at: 1700000003000 },
    { kind: 'ignored', pushId: 'p2', registrationId: 'regE', vendorStatus: '128', at: 1700000004000 },
    { kind: 'lapsed', pushId: 'p2', registrationId: 'regF', vendorStatus: '1024', at: 1700000005000 },
  ]);
});

test.each([
  ['no data', ''],
  ['half a form', 'data=%7B%22scm'],
  ['an array', 'data=[]'],
  ['no targets', '{"m":{"type":1}}'],
])('%s reports nothing and is answered all the same', (_, body) => {
  expect(parseReceipt({ headers: {}, body })).toMatchObject({ receipts: [], reply: { status: 200 } });
});

test('an entry that cannot be read does not hide its neighbours', () => {
  const body = '{"m1":{"type":1},"m2":{"type":"2","targets":"r2"}}';
  expect(parseReceipt({ headers: {}, body }).receipts).toEqual([
    { kind: 'clicked', registrationId: 'r2', vendorStatus: '2' },
  ]);
});
