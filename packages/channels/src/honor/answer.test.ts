import {
  answersToThree,
  describeFaults,
  describeStatuses,
  htmlPage,
  responseWith,
} from '@pushfleet/channel-kit/testing';
import { readAnswer } from './answer';

const { fixture, read } = answersToThree(__dirname, readAnswer);

test('every device of an accepted call carries the request id', () => {
  const accepted = { kind: 'accepted', vendorMessageId: 'ho1700000000000000000001' };
  expect(read(fixture('sent'))).toEqual({ kind: 'outcomes', outcomes: [accepted, accepted, accepted] });
});

test('an expired registration is gone, a failed one is tried again, their neighbour is accepted', () => {
  expect(read(fixture('partly-sent'))).toMatchObject({
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
  expect(read(fixture(name))).toMatchObject({ outcomes: [gone, gone, gone] });
});

test('a failed call accepts nobody, listed or not', () => {
  const data = { sendResult: false, failTokens: ['regA'], expireTokens: ['regB'] };
  const response = responseWith(JSON.stringify({ code: 200, data }));
  expect(read(response)).toMatchObject({
    outcomes: [{ kind: 'deferred' }, { kind: 'discarded' }, { kind: 'deferred' }],
  });
});

test.each([
  ['token-expired', 200],
  ['token-expired', 403],
])('a token is refused by %s with HTTP %d', (name, status) => {
  expect(read(fixture(name, status))).toMatchObject({ kind: 'token-refused', vendorCode: '80200003' });
});

test.each([401, 403])('an unreadable %d refuses the token', (status) => {
  expect(read(htmlPage(status))).toMatchObject({ kind: 'token-refused', vendorCode: String(status) });
});

describeFaults(read, fixture, {
  ...{ 'not-sent': 'vendor-error', 'sent-without-data': 'unknown-outcome', 'sensitive-content': 'message-rejected' },
  ...{ 'not-permitted': 'credentials-rejected', 'internal-error': 'vendor-error', 'unknown-code': 'message-rejected' },
});

describeStatuses(read);
