import { answerFixtures } from '@pushfleet/channel-kit/testing';
import { parseReceipt } from './receipt';

const body = answerFixtures(__dirname).text('receipt');

it('every registration of every item has its receipt', () => {
  const pushId = 'pushidpushidpush';
  const at = 1_700_000_000_000;
  expect(parseReceipt({ headers: {}, body }).receipts).toEqual([
    { kind: 'delivered', registrationId: 'CN_aaa', vendorStatus: 'push_arrive', pushId, at },
    { kind: 'delivered', registrationId: 'CN_bbb', vendorStatus: 'push_arrive', pushId, at },
    { kind: 'registration-gone', registrationId: 'CN_ccc', vendorStatus: 'regid_invalid', pushId, at: at + 1 },
    { kind: 'ignored', registrationId: 'CN_ddd', vendorStatus: 'user_daily_limit', at: at + 2 },
  ]);
});

it('an item that cannot be read does not cost the others their receipts', () => {
  const items = [{ eventType: 'push_arrive' }, { registrationIds: 'CN_aaa', eventType: 'new_event', eventTime: 'x' }];
  const { receipts, reply } = parseReceipt({ headers: {}, body: JSON.stringify(items) });
  expect(receipts).toEqual([{ kind: 'ignored', registrationId: 'CN_aaa', vendorStatus: 'new_event' }]);
  expect(reply.status).toBe(200);
});

it.each(['', '{}', 'registrationIds=a'])('the body %j is not a receipt', (text) => {
  expect(parseReceipt({ headers: {}, body: text })).toMatchObject({ receipts: [], reply: { status: 400 } });
});
