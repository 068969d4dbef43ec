import { type VendorResponse } from '@pushfleet/channel-kit';
import { answerFixtures, describeFaults, describeFormAnswers, responseWith } from '@pushfleet/channel-kit/testing';
import { answers } from './answer';
import { CODES } from './codes';

const { response: fixture } = answerFixtures(__dirname);
const { readAnswer } = answers;
const read = (response: VendorResponse) => readAnswer(response, context);
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

describeFaults(read, fixture, {
  ...{ 'authentication-failed': 'credentials-rejected', 'qps-exceeded': 'throttled' },
  ...{ 'unknown-code': 'unrecognised-answer' },
});

test('an exceeded quota waits for the next day in China', () => {
  expect(() => readAnswer(fixture('quota-exceeded'), context)).toThrow(
    expect.objectContaining({
      code: 'quota-exceeded',
      vendorCode: '200001',
      vendorMessage: 'exceed quota, quota:10000, have acked:10000 (超过每日配额)',
      retryAfterMs: 120_000,
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

describeFormAnswers(answers, {
  now,
  unread: ['{"result":"ok","code":0,"data":"ok"}', '{"result":"ok"'],
  ...{ right: fixture('quota'), wrong: fixture('authentication-failed'), throttled: fixture('qps-exceeded') },
  verdict: { vendorCode: '21301', vendorMessage: 'Authentication failed. (认证失败)' },
});

test.each(['{"result":"ok","code":0}', '{"code":"0","data":{"id":7,"bad_regids":null}}'])(
  'an answer that leaves out or spells otherwise what nobody needs is one: %s',
  (body) => {
    const outcomes = readAnswer(responseWith(body), context);
    expect(outcomes).toMatchObject([{ kind: 'accepted' }, { kind: 'accepted' }, { kind: 'accepted' }]);
  },
);
