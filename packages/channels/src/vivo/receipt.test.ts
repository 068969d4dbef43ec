import { answerFixtures } from '@pushfleet/channel-kit/testing';
import { parseReceipt } from './receipt';

const body = answerFixtures(__dirname).text('receipt');

it('every registration of every task has its receipt, and only status 0 is an arrival', () => {
  const pushId = 'pushidpushidpush';
  const at = 1_700_000_000_000;
  expect(parseReceipt({ headers: {}, body }).receipts).toEqual([
    { kind: 'delivered', registrationId: 'reg-1', vendorStatus: '0', pushId, at },
    { kind: 'delivered', registrationId: 'reg-2', vendorStatus: '0', pushId, at },
    { kind: 'ignored', registrationId: 'reg-3', vendorStatus: '990', pushId, at: at + 1 },
    { kind: 'delivered', registrationId: 'reg-4', vendorStatus: '0', pushId },
  ]);
});

it('a report that cannot be read does not cost the others their receipts', () => {
  const reports = { 1: { ackType: '0' }, 2: { targets: 'reg-1', ackType: 0 } };
  const { receipts, reply } = parseReceipt({ headers: {}, body: JSON.stringify(reports) });
  expect(receipts).toEqual([{ kind: 'delivered', registrationId: 'reg-1', vendorStatus: '0' }]);
  expect(reply.status).toBe(200);
});

it.each(['', '[]', 'targets=a'])('the body %j is not a receipt', (text) => {
  expect(parseReceipt({ headers: {}, body: text })).toMatchObject({ receipts: [], reply: { status: 400 } });
});
