import { type VendorResponse } from '@pushfleet/channel-kit';
import { answerFixtures, describeFaults, describeFormAnswers, responseWith } from '@pushfleet/channel-kit/testing';
import { answers } from './answer';
import { DEVICE_CODES, REQUEST_CODES } from './codes';

const { response: fixture } = answerFixtures(__dirname);
const { readAnswer } = answers;
const read = (response: VendorResponse) => readAnswer(response, context);
const refusal = (code: string) => responseWith(JSON.stringify({ code, message: '', value: '', redirect: '' }));

const now = Date.parse('2023-11-14T15:59:00Z');
const context = { registrationIds: ['idA', 'idB'], truncated: false, now };
const single = { ...context, registrationIds: ['idA'] };

test.each(['sent', 'sent-empty-value'])('nobody named means everybody accepted: %s', (name) => {
  const accepted = { kind: 'accepted', vendorMessageId: expect.stringMatching(/^NS/) };
  expect(readAnswer(fixture(name), context)).toEqual([accepted, accepted]);
});

test('cut text is told per accepted device', () => {
  expect(readAnswer(fixture('sent'), { ...single, truncated: true })).toMatchObject([{ truncated: true }]);
});

test('each refused device has its own verdict and its neighbours are accepted', () => {
  const ids = ['idGone', 'idIllegal', 'idOff', 'idDaily', 'idCollapsed', 'idDenied', 'idDb', 'idRate', 'idNew', 'idA'];
  expect(readAnswer(fixture('some-refused'), { ...context, registrationIds: ids })).toMatchObject([
    { kind: 'discarded', reason: 'registration-gone', vendorCode: '110002' },
    { kind: 'discarded', reason: 'registration-gone', vendorCode: '110003' },
    { kind: 'discarded', reason: 'notifications-off', vendorCode: '110010' },
    { kind: 'discarded', reason: 'frequency-capped', vendorCode: '110011' },
    { kind: 'discarded', reason: 'frequency-capped', vendorCode: '520' },
    { kind: 'discarded', reason: 'message-rejected', vendorCode: '201' },
    { kind: 'deferred', reason: 'vendor-error', vendorCode: '501', maxTries: 2 },
    { kind: 'deferred', reason: 'frequency-capped', vendorCode: '518', maxTries: 2 },
    { kind: 'deferred', reason: 'unrecognised-answer', vendorCode: '777777', maxTries: 3 },
    { kind: 'accepted' },
  ]);
});

describeFaults(read, fixture, {
  ...{ 'too-fast': 'throttled', 'signature-failed': 'credentials-rejected' },
  ...{ 'unknown-code': 'unrecognised-answer', 'push-id-illegal': 'batch-refused' },
});

test('a device that could not be served is asked for once more', () => {
  const triesOf = (code: string) => {
    const row = DEVICE_CODES[code];
    return row && 'maxTries' in row ? row.maxTries : undefined;
  };
  expect(['501', '513', '518', '519'].map(triesOf)).toEqual([2, 2, 2, 2]);
});

test('a dead registration is believed when it was the only one', () => {
  expect(readAnswer(fixture('push-id-illegal'), single)).toMatchObject([{ reason: 'registration-gone' }]);
});

test('a code of single targets at the top concerns every device', () => {
  const deferred = { kind: 'deferred', reason: 'vendor-error', vendorCode: '519', vendorMessage: '服务过载' };
  expect(readAnswer(fixture('service-overloaded'), context)).toMatchObject([deferred, deferred]);
});

test('an exceeded daily count waits for the next day in China', () => {
  expect(() => readAnswer(fixture('daily-count-exceeded'), context)).toThrow(
    expect.objectContaining({ code: 'quota-exceeded', vendorCode: '110019', retryAfterMs: 120_000 }),
  );
});

test('every documented code of a request has its fault', () => {
  for (const [code, row] of Object.entries(REQUEST_CODES)) {
    const fault = 'fault' in row ? row.fault : 'batch-refused';
    expect(() => readAnswer(refusal(code), context)).toThrow(
      expect.objectContaining({ code: fault, vendorCode: code, vendorMessage: row.words }),
    );
  }
});

test('every documented code of a device has its verdict', () => {
  for (const [code, row] of Object.entries(DEVICE_CODES)) {
    const body = JSON.stringify({ code: '200', message: '', value: { [code]: ['idA'] } });
    const reason = 'discard' in row ? row.discard : row.reason;
    expect(readAnswer(responseWith(body), context)).toMatchObject([{ reason }, { kind: 'accepted' }]);
  }
});

describeFormAnswers(answers, {
  now,
  unread: ['{"code":"200","value":{"110002":"idA"}}', '{"code":"200"'],
  ...{ right: fixture('statistics'), wrong: fixture('signature-failed'), throttled: fixture('too-fast') },
  verdict: { vendorCode: '1006', vendorMessage: '签名认证失败' },
});

test.each(['{"code":200,"value":{}}', '{"code":"200","value":[]}', '{"code":200,"value":{"110010":["idA"]}}'])(
  'an answer that spells otherwise what it says is one: %s',
  (body) => {
    const [first, second] = readAnswer(responseWith(body), context);
    expect([first?.kind, second?.kind]).toEqual([body.includes('idA') ? 'discarded' : 'accepted', 'accepted']);
  },
);
