import { type FaultCode, type VendorResponse } from '@pushfleet/channel-kit';
import { answerFixtures, responseWith } from '@pushfleet/channel-kit/testing';
import { answers } from './answer';
import { CODES } from './codes';

const { response: fixture } = answerFixtures(__dirname);
const { readAnswer, readCheck } = answers;
const refusal = (code: number) => responseWith(JSON.stringify({ result: 'error', code }));

const now = Date.parse('2023-11-14T15:59:00Z');
const context = { registrationIds: ['regA', 'regB', 'regC'], truncated: false, now };
const single = { ...context, registrationIds: ['regA'] };

test('every device of an accepted call carries the message id', () => {
  const accepted = { kind: 'accepted', vendorMessageId: 'scm05b01700000000001Qx' };
  expect(readAnswer(fixture('sent'), context)).toEqual([accepted, accepted, accepted]);
});

test('cut text is told per accepted device', () => {
  expect(readAnswer(fixture('sent'), { ...single, truncated: true })).toMatchObject([{ truncated: true }]);
});

test('a gone registration does not fail its neighbours', () => {
  expect(readAnswer(fixture('sent-with-bad-regids'), context)).toMatchObject([
    { kind: 'accepted' },
    { kind: 'discarded', reason: 'registration-gone', vendorMessage: 'bad_regids' },
    { kind: 'accepted' },
  ]);
});

test('a call without one valid registration retires all of them', () => {
  const gone = { kind: 'discarded', reason: 'registration-gone', vendorCode: '20301' };
  expect(readAnswer(fixture('no-valid-targets'), context)).toMatchObject([gone, gone, gone]);
});

test('the same code with another reason retires nobody', () => {
  expect(() => readAnswer(fixture('send-failed'), context)).toThrow(
    expect.objectContaining({ code: 'message-rejected', vendorCode: '20301' }),
  );
});

test('an invalid device is believed for a single one and sought by splitting among many', () => {
  expect(readAnswer(fixture('invalid-device'), single)).toMatchObject([{ reason: 'registration-gone', mayPass: true }]);
  expect(() => readAnswer(fixture('invalid-device'), context)).toThrow(
    expect.objectContaining({ code: 'batch-refused' }),
  );
});

test.each<[string, FaultCode]>([
  ['authentication-failed', 'credentials-rejected'],
  ['qps-exceeded', 'throttled'],
  ['unknown-code', 'unrecognised-answer'],
])('%s is %s', (name, code) => {
  expect(() => readAnswer(fixture(name), context)).toThrow(expect.objectContaining({ code }));
});

test('an exceeded quota waits for the next day in China', () => {
  expect(() => readAnswer(fixture('quota-exceeded'), context)).toThrow(
    expect.objectContaining({
      code: 'quota-exceeded',
      vendorCode: '200001',
      vendorMessage: 'exceed quota, quota:10000, have acked:10000 (超过每日配额)',
      retryAfterMs: 60_000,
    }),
  );
});

test('every documented code of a request has its own fault or verdict', () => {
  for (const [code, row] of Object.entries(CODES)) {
    if ('device' in row) expect(readAnswer(refusal(Number(code)), single)).toMatchObject([{ reason: row.device }]);
    else
      expect(() => readAnswer(refusal(Number(code)), context)).toThrow(
        expect.objectContaining({ code: row.fault, vendorCode: code, vendorMessage: row.words }),
      );
  }
});

test.each<[string, VendorResponse, FaultCode]>([
  ['a proxy’s page', responseWith('<html>', 503), 'vendor-error'],
  ['HTTP 429', { status: 429, body: '', retryAfterMs: 2000 }, 'throttled'],
  ['success without a message', responseWith('{"result":"ok","code":0}'), 'unknown-outcome'],
  ['half an answer', responseWith('{"result":"ok"'), 'unknown-outcome'],
])('%s is %s', (_, response, code) => {
  expect(() => readAnswer(response, context)).toThrow(expect.objectContaining({ code }));
});

test('the credential check tells right from wrong and throws when it learns neither', () => {
  expect(readCheck(fixture('quota'), now)).toEqual({ ok: true });
  expect(readCheck(fixture('authentication-failed'), now)).toEqual({
    ok: false,
    vendorCode: '21301',
    vendorMessage: 'Authentication failed. (认证失败)',
  });
  expect(() => readCheck(fixture('qps-exceeded'), now)).toThrow(expect.objectContaining({ code: 'throttled' }));
});
