import { parseAnswer } from '@pushfleet/channel-kit';
import { answerFixtures, faultThrownBy } from '@pushfleet/channel-kit/testing';
import { answerSchema, readBroadcast, readSaved, readUnicast, readUnicastBatch, type Answer } from './answer';

/** 20:00 in GMT+8: four hours to midnight. */
const NOW = Date.UTC(2026, 0, 15, 12);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const { response } = answerFixtures(__dirname);
const fixture = (name: string): Answer => parseAnswer(answerSchema, response(name));

const sentTo = (...registrationIds: string[]) => ({ registrationIds, truncated: false, now: NOW });

describe('a single send', () => {
  it('is accepted under the message id of the vendor', () => {
    const vendorMessageId = 'ZngnvJIM7wQusNtbqYnpH6XX-1-1-622ff7cfae27668d2ed3afec';
    expect(readUnicast(fixture('unicast-accepted'), sentTo('CN_aaa'))).toEqual([{ kind: 'accepted', vendorMessageId }]);
    expect(readUnicast(fixture('unicast-accepted'), { ...sentTo('CN_aaa'), truncated: true })).toEqual([
      { kind: 'accepted', vendorMessageId, truncated: true },
    ]);
  });

  it.each(['unicast-invalid-registration', 'unicast-malformed-registration'])('%s retires the registration', (name) => {
    expect(readUnicast(fixture(name), sentTo('CN_aaa'))).toMatchObject([
      { kind: 'discarded', reason: 'registration-gone', vendorMessage: expect.stringMatching(/registration/i) },
    ]);
  });

  it('invalid arguments that are not about the registration reject the message', () => {
    expect(faultThrownBy(() => readUnicast(fixture('invalid-arguments'), sentTo('CN_aaa')))).toMatchObject({
      code: 'message-rejected',
      vendorCode: '41',
    });
  });

  it('a duplicate counts as sent', () => {
    expect(readUnicast(fixture('duplicate'), sentTo('CN_aaa'))).toEqual([{ kind: 'accepted' }]);
  });
});

describe('a batch of single sends', () => {
  it('a verdict on one device does not touch its neighbours', () => {
    const sent = sentTo('CN_ccc', 'CN_aaa', 'CN_bbb', 'CN_ddd', 'CN_eee');
    expect(readUnicastBatch(fixture('unicast-batch-partial'), sent)).toMatchObject([
      { kind: 'deferred', reason: 'vendor-error', vendorCode: '-1' },
      { kind: 'accepted', vendorMessageId: 'App-1-1-a' },
      { kind: 'discarded', reason: 'registration-gone', vendorCode: '10000' },
      { kind: 'deferred', reason: 'quota-exceeded', retryAfterMs: 4 * HOUR_MS + MINUTE_MS },
      { kind: 'discarded', reason: 'message-rejected', vendorCode: '10999', vendorMessage: 'new code' },
    ]);
  });

  it('a device that the answer leaves out may have the message: it is not tried again', () => {
    const answer = { code: '0', message: '', data: [{ messageId: 'm', registrationId: 'CN_aaa' }] };
    expect(readUnicastBatch(answer, sentTo('CN_bbb', 'CN_aaa'))).toMatchObject([
      { kind: 'deferred', reason: 'unknown-outcome', maxTries: 1 },
      { kind: 'accepted', vendorMessageId: 'm' },
    ]);
  });

  it.each(['first', 'last'])('a device that is listed twice, taken %s, is not sent to again', (place) => {
    const taken = { messageId: 'm', registrationId: 'CN_aaa' };
    const failed = { registrationId: 'CN_aaa', errorCode: -1, errorMessage: 'busy' };
    const data = place === 'first' ? [taken, failed] : [failed, taken];
    expect(readUnicastBatch({ code: '0', message: '', data }, sentTo('CN_aaa', 'CN_bbb'))).toMatchObject([
      { kind: 'accepted', vendorMessageId: 'm' },
      { kind: 'deferred', reason: 'unknown-outcome' },
    ]);
  });

  it('a success without a list may have reached every device', () => {
    const answer = { code: '0', message: '', data: {} };
    expect(faultThrownBy(() => readUnicastBatch(answer, sentTo('a', 'b'))).code).toBe('unknown-outcome');
  });
});

describe('a broadcast', () => {
  it('is accepted for all under the task id', () => {
    const accepted = { kind: 'accepted', vendorMessageId: '58ad47319e8d725350a5afd7' };
    expect(readBroadcast(fixture('broadcast-accepted'), sentTo('CN_aaa', 'CN_bbb'))).toEqual([accepted, accepted]);
  });

  it('a gone registration does not fail its neighbours', () => {
    expect(readBroadcast(fixture('broadcast-partial'), sentTo('CN_aaa', 'CN_bbb', 'CN_ccc'))).toMatchObject([
      { kind: 'accepted' },
      { kind: 'discarded', reason: 'registration-gone', vendorCode: '10000', vendorMessage: 'Invalid Registration_id' },
      { kind: 'discarded', reason: 'registration-gone', vendorCode: '10001' },
    ]);
  });

  it.each(['unicast-invalid-registration', 'unicast-malformed-registration'])(
    '%s for a whole batch asks for smaller batches',
    (name) => {
      expect(faultThrownBy(() => readBroadcast(fixture(name), sentTo('CN_aaa', 'CN_bbb'))).code).toBe('batch-refused');
    },
  );

  it('a saved message has an id, unless the vendor has one already and keeps it', () => {
    expect(readSaved(fixture('saved'), NOW)).toBe('58ad47319e8d725350a5afd6');
    expect(readSaved(fixture('duplicate'), NOW)).toBeUndefined();
    expect(faultThrownBy(() => readSaved(fixture('flow-control'), NOW)).code).toBe('throttled');
    expect(faultThrownBy(() => readSaved({ code: '0', message: '', data: {} }, NOW)).code).toBe('vendor-error');
  });
});

describe('a refused call', () => {
  it.each([
    ['flow-control', 'throttled', undefined],
    ['daily-limit', 'quota-exceeded', 4 * HOUR_MS + MINUTE_MS],
    ['token-expired', 'credentials-rejected', undefined],
    ['undocumented', 'unrecognised-answer', undefined],
  ])('%s is the fault %s', (name, code, retryAfterMs) => {
    const fault = faultThrownBy(() => readBroadcast(fixture(name), sentTo('CN_aaa', 'CN_bbb')));
    expect(fault).toMatchObject({ code, retryAfterMs });
    expect(fault.vendorMessage).toMatch(/\S/);
  });
});

it('a null in an entry of a batch is none of its fields, and says nothing of the others', () => {
  const data = [
    { messageId: 'm1', registrationId: 'CN_a', errorCode: null, errorMessage: null },
    { messageId: null, registrationId: 'CN_b', errorCode: 10000 },
  ];
  const outcomes = readUnicastBatch(answerSchema.parse({ code: 0, message: 'ok', data }), sentTo('CN_a', 'CN_b'));
  expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', expect.not.stringMatching('accepted')]);
});
