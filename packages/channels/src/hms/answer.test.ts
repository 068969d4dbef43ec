import { type FaultCode, type VendorResponse } from '@pushfleet/channel-kit';
import { answerFixtures, faultThrownBy, htmlPage } from '@pushfleet/channel-kit/testing';
import { readAnswer } from './answer';
import { CODES, STATUSES } from './codes';

const { response: fixture } = answerFixtures(__dirname);
const ids = ['regA', 'regB', 'regC'];

const faultCode = (response: VendorResponse): FaultCode => faultThrownBy(() => readAnswer(response, ids)).code;

test('every device of an accepted call carries the request id', () => {
  const accepted = { kind: 'accepted', vendorMessageId: '157278422841836431010901' };
  expect(readAnswer(fixture('sent'), ids)).toEqual({ kind: 'outcomes', outcomes: [accepted, accepted, accepted] });
});

test('a gone registration does not fail its neighbours', () => {
  expect(readAnswer(fixture('partly-sent'), ids)).toEqual({
    kind: 'outcomes',
    outcomes: [
      { kind: 'accepted' },
      {
        kind: 'discarded',
        reason: 'registration-gone',
        vendorCode: '80100000',
        vendorMessage: 'illegal_tokens: the token is invalid',
      },
      { kind: 'accepted' },
    ],
  });
});

test('a partial success that does not say who was refused is not guessed at', () => {
  expect(faultCode(fixture('partly-sent-without-list'))).toBe('unknown-outcome');
});

test('a call without one valid registration retires all of them in words of the vendor', () => {
  const gone = {
    kind: 'discarded',
    reason: 'registration-gone',
    vendorCode: '80300007',
    vendorMessage: 'All the tokens are invalid',
  };
  expect(readAnswer(fixture('all-invalid'), ids)).toEqual({ kind: 'outcomes', outcomes: [gone, gone, gone] });
});

test.each([
  ['token-expired', 200, '80200003'],
  ['token-expired', 401, '80200003'],
  ['token-refused', 200, '80200001'],
  ['token-refused', 401, '80200001'],
])('a token is refused by %s with HTTP %d', (name, status, vendorCode) => {
  expect(readAnswer(fixture(name, status), ids)).toMatchObject({ kind: 'token-refused', vendorCode });
});

test('an unreadable 401 refuses the token', () => {
  expect(readAnswer(htmlPage(401), ids)).toMatchObject({ kind: 'token-refused', vendorCode: '401' });
});

test.each<[string, FaultCode]>([
  ['not-permitted', 'credentials-rejected'],
  ['sensitive-content', 'message-rejected'],
  ['internal-error', 'vendor-error'],
  ['unknown-code', 'unrecognised-answer'],
])('%s is the fault %s', (name, code) => {
  expect(faultCode(fixture(name))).toBe(code);
});

test.each<[number, FaultCode]>([
  [200, 'unknown-outcome'],
  [400, 'message-rejected'],
  [404, 'credentials-rejected'],
  [413, 'payload-too-large'],
  [418, 'unrecognised-answer'],
  [429, 'throttled'],
  [500, 'vendor-error'],
  [502, 'vendor-error'],
  [503, 'throttled'],
])('HTTP %d without a code is the fault %s', (status, code) => {
  expect(faultCode(htmlPage(status))).toBe(code);
});

test('success is believed only with HTTP 200', () => {
  expect(faultCode(fixture('sent', 500))).toBe('vendor-error');
});

test('the wait that the vendor asks for is kept', () => {
  expect(() => readAnswer({ ...htmlPage(503), retryAfterMs: 7000 }, ids)).toThrow(
    expect.objectContaining({ retryAfterMs: 7000 }),
  );
});

test('every known code has words', () => {
  for (const row of [...Object.values(CODES), ...Object.values(STATUSES)]) expect(row.words).toMatch(/\S/);
});
