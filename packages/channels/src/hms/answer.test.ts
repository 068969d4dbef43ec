import {
  answersToThree,
  describeFaults,
  describeStatuses,
  faultThrownBy,
  htmlPage,
} from '@pushfleet/channel-kit/testing';
import { readAnswer } from './answer';
import { CODES, STATUSES } from './codes';

const { fixture, read } = answersToThree(__dirname, readAnswer);
const gone = (vendorCode: string, vendorMessage: string) => ({
  ...{ kind: 'discarded', reason: 'registration-gone' },
  ...{ vendorCode, vendorMessage },
});

test('every device of an accepted call carries the request id', () => {
  const accepted = { kind: 'accepted', vendorMessageId: '157278422841836431010901' };
  expect(read(fixture('sent'))).toEqual({ kind: 'outcomes', outcomes: [accepted, accepted, accepted] });
});

test('a gone registration does not fail its neighbours', () => {
  expect(read(fixture('partly-sent'))).toEqual({
    kind: 'outcomes',
    outcomes: [{ kind: 'accepted' }, gone('80100000', 'illegal_tokens: the token is invalid'), { kind: 'accepted' }],
  });
});

test.each([
  ['nobody', []],
  ['a stranger', ['not-asked-for']],
])('a partial success that names %s may have reached every device, and accepts none', (_, illegal_tokens) => {
  const msg = JSON.stringify({ success: 2, failure: 1, illegal_tokens });
  const body = JSON.stringify({ code: '80100000', msg, requestId: '1' });
  const fault = faultThrownBy(() => read({ status: 200, body, retryAfterMs: undefined }));
  expect([fault.code, fault.vendorCode]).toEqual(['unknown-outcome', '80100000']);
});

test('a call without one valid registration retires all of them in words of the vendor', () => {
  const each = gone('80300007', 'All the tokens are invalid');
  expect(read(fixture('all-invalid'))).toEqual({ kind: 'outcomes', outcomes: [each, each, each] });
});

test.each([
  ['token-expired', 200, '80200003'],
  ['token-expired', 401, '80200003'],
  ['token-refused', 200, '80200001'],
  ['token-refused', 401, '80200001'],
])('a token is refused by %s with HTTP %d', (name, status, vendorCode) => {
  expect(read(fixture(name, status))).toMatchObject({ kind: 'token-refused', vendorCode });
});

test('an unreadable 401 refuses the token', () => {
  expect(read(htmlPage(401))).toMatchObject({ kind: 'token-refused', vendorCode: '401' });
});

describeFaults(read, fixture, {
  ...{ 'partly-sent-without-list': 'unknown-outcome', 'not-permitted': 'credentials-rejected' },
  ...{ 'sensitive-content': 'message-rejected', 'internal-error': 'vendor-error' },
  ...{ 'unknown-code': 'unrecognised-answer' },
});

describeStatuses(read);

test('success is believed only with HTTP 200, and a status that nobody documents is not guessed at', () => {
  expect(faultThrownBy(() => read(fixture('sent', 500))).code).toBe('vendor-error');
  expect(faultThrownBy(() => read(htmlPage(418))).code).toBe('unrecognised-answer');
});

test('the wait that the vendor asks for is kept', () => {
  expect(faultThrownBy(() => read({ ...htmlPage(503), retryAfterMs: 7000 })).retryAfterMs).toBe(7000);
});

test('every known code has words', () => {
  for (const row of [...Object.values(CODES), ...Object.values(STATUSES)]) expect(row.words).toMatch(/\S/);
});
