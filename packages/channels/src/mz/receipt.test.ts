import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReceiptRefused, type RawReceipt } from '@pushfleet/channel-kit';
import { parseReceipt } from './receipt';

const json = readFileSync(join(__dirname, '__fixtures__', 'receipts.json'), 'utf8');
const profile = { appId: '1', appSecret: 's3cret' };
const guarded = { ...profile, receiptToken: 'agreed' };

const form = (accessToken: string): string => new URLSearchParams({ cb: json, access_token: accessToken }).toString();
const raw = (body: string): RawReceipt => ({ headers: {}, body });

test('arrival and clicks are told per device, anything else changes nothing', () => {
  const { receipts, reply } = parseReceipt(raw(form('agreed')), guarded);
  expect(reply.status).toBe(200);
  expect(receipts).toEqual([
    { kind: 'delivered', pushId: 'p1', registrationId: 'idA', vendorStatus: '1' },
    { kind: 'delivered', pushId: 'p1', registrationId: 'idB', vendorStatus: '1' },
    { kind: 'clicked', pushId: 'p1', registrationId: 'idA', vendorStatus: '2' },
    { kind: 'ignored', pushId: 'p2', registrationId: 'idC', vendorStatus: '9' },
  ]);
});

test.each([
  ['a wrong token', form('guessed')],
  ['no token', new URLSearchParams({ cb: json }).toString()],
  ['a body that can hold none', json],
])('%s is refused when one was agreed', (_, body) => {
  expect(() => parseReceipt(raw(body), guarded)).toThrow(ReceiptRefused);
});

test('without an agreed token both spellings are read', () => {
  expect(parseReceipt(raw(form('whatever')), profile).receipts).toHaveLength(4);
  expect(parseReceipt(raw(json), profile).receipts).toHaveLength(4);
});

test.each([
  ['nothing', ''],
  ['half a form', 'cb=%7B%22'],
  ['no targets', 'cb={"m-1":{"type":1}}'],
])('%s reports nothing and is answered all the same', (_, body) => {
  expect(parseReceipt(raw(body), profile)).toMatchObject({ receipts: [], reply: { status: 200 } });
});
