import { answerFixtures } from '@pushfleet/channel-kit/testing';
import { parseReceipt } from './receipt';

test('every event that can be read has its receipt, and one that is not known changes nothing', () => {
  const body = answerFixtures(__dirname).text('receipts');
  expect(parseReceipt({ headers: {}, body }).receipts).toEqual([
    {
      kind: 'delivered',
      registrationId: 'regA',
      vendorStatus: 'delivered',
      pushId: 'pushidpushidpush',
      at: 1_700_000_000_000,
    },
    { kind: 'ignored', registrationId: 'regB', vendorStatus: 'a-new-event' },
  ]);
});
