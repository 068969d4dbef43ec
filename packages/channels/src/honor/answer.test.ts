import { type VendorResponse } from '@pushfleet/channel-kit';
import {
  answerFixtures,
  describeFaults,
  describeStatuses,
  htmlPage,
  responseWith,
} from '@pushfleet/channel-kit/testing';
import { readAnswer } from './answer';

const { response: fixture } = answerFixtures(__dirname);
const ids = ['regA', 'regB', 'regC'];

const read = (response: VendorResponse) => readAnswer(response, ids);

test('every device of an accepted call carries the request id', () => {
  const accepted = { kind: 'accepted', vendorMessageId: 'ho1700000000000000000001' };
  expect(readAnswer(fixture('sent'), ids)).toEqual({ kind: 'outcomes', outcomes: [accepted, accepted, accepted] });
});

test('an expired registration is gone, a failed one is tried again, their neighbour is accepted', () => {
  expect(readAnswer(fixture('partly-sent'), ids)).toMatchObject({
    outcomes: [
      { kind: 'accepted', vendorMessageId: 'ho1700000000000000000002' },
      { kind: 'deferred', reason: 'vendor-error', retryAfterMs: 60_000, maxTries: 2, vendorCode: 'failTokens' },
      { kind: 'discarded', reason: 'registration-gone', vendorCode: 'expireTokens' },
    ],
  });
});

test('a registration that stands in both lists is gone', () => {
  const data = { sendResult: true, failTokens: ['regA'], expireTokens: ['regA'] };
  const response = responseWith(JSON.stringify({ code: 200, data }));
  expect(readAnswer(response, ['regA'])).toMatchObject({ outcomes: [{ kind: 'discarded' }] });
});

test.each(['all-expired', 'all-invalid'])('%s retires every registration of the call', (name) => {
  const gone = { kind: 'discarded', reason: 'registration-gone' };
  expect(readAnswer(fixture(name), ids)).toMatchObject({ outcomes: [gone, gone, gone] });
});

test('a failed call accepts nobody, listed or not', () => {
  const data = { sendResult: false, failTokens: ['regA'], expireTokens: ['regB'] };
  const response = responseWith(JSON.stringify({ code: 200, data }));
  expect(readAnswer(response, ids)).toMatchObject({
    outcomes: [{ kind: 'deferred' }, { kind: 'discarded' }, { kind: 'deferred' }],
  });
});

test.each([
  ['token-expired', 200],
  ['token-expired', 403],
])('a token is refused by %s with HTTP %d', (name, status) => {
  expect(readAnswer(fixture(name, status), ids)).toMatchObject({ kind: 'token-refused', vendorCode: '80200003' });
});

test.each([401, 403])('an unreadable %d refuses the token', (status) => {
  expect(readAnswer(htmlPage(status), ids)).toMatchObject({ kind: 'token-refused', vendorCode: String(status) });
});

describeFaults(read, fixture, {
  ...{ 'not-sent': 'vendor-error', 'sent-without-data': 'unknown-outcome', 'sensitive-content': 'message-rejected' },
  ...{ 'not-permitted': 'credentials-rejected', 'internal-error': 'vendor-error', 'unknown-code': 'message-rejected' },
});

describeStatuses(read);
