import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAnswer } from '@pushfleet/channel-kit';
import { answerFixtures, faultThrownBy, responseWith } from '@pushfleet/channel-kit/testing';
import { answerSchema, readList, readSingle, readTaskId, type Answer } from './answer';

/** 20:00 in GMT+8: four hours to midnight, eleven to seven in the morning. */
const NOW = Date.UTC(2026, 0, 15, 12);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const { response } = answerFixtures(__dirname);
const fixture = (name: string): Answer => parseAnswer(answerSchema, response(name));

const sentTo = (...registrationIds: string[]) => ({ registrationIds, truncated: false, now: NOW, taskId: '121397329' });

describe('a single send', () => {
  it('is accepted under the task id', () => {
    expect(readSingle(fixture('single-accepted'), { ...sentTo('reg-1'), truncated: true })).toEqual([
      { kind: 'accepted', vendorMessageId: '121397329', truncated: true },
    ]);
  });

  it.each([
    ['single-unknown', 'registration-gone', '10302'],
    ['single-not-a-test-user', 'message-rejected', '10302'],
    ['single-notifications-off', 'notifications-off', '10311'],
  ])('%s discards the device as %s', (name, reason, vendorCode) => {
    expect(readSingle(fixture(name), sentTo('reg-1'))).toMatchObject([
      { kind: 'discarded', reason, vendorCode, vendorMessage: expect.stringMatching(/\S/) },
    ]);
  });
});

describe('a list', () => {
  const accepted = { kind: 'accepted', vendorMessageId: '121397329' };

  it('devices that the answer does not list were accepted', () => {
    expect(readList(fixture('list-accepted'), sentTo('reg-1', 'reg-2'))).toEqual([accepted, accepted]);
  });

  it('a gone registration does not fail its neighbours', () => {
    const sent = sentTo('reg-5', 'reg-4', 'reg-3', 'reg-2', 'reg-1');
    expect(readList(fixture('list-partial'), sent)).toMatchObject([
      { kind: 'discarded', reason: 'message-rejected', vendorCode: 'status 7' },
      { kind: 'discarded', reason: 'message-rejected', vendorCode: 'status 4' },
      { kind: 'discarded', reason: 'registration-gone', vendorCode: 'status 2' },
      { kind: 'discarded', reason: 'registration-gone', vendorCode: 'status 1' },
      accepted,
    ]);
  });

  it('a verdict on one device for the whole list asks for smaller lists', () => {
    const fault = faultThrownBy(() => readList(fixture('single-unknown'), sentTo('reg-1', 'reg-2')));
    expect(fault.code).toBe('batch-refused');
  });

  it('a saved payload has a task id', () => {
    expect(readTaskId(fixture('single-accepted'), NOW)).toBe('121397329');
    expect(faultThrownBy(() => readTaskId(fixture('list-accepted'), NOW)).code).toBe('vendor-error');
    expect(faultThrownBy(() => readTaskId(fixture('too-fast'), NOW)).code).toBe('throttled');
  });
});

describe('a refused call', () => {
  it.each([
    ['too-fast', 'throttled', undefined],
    ['night', 'throttled', 11 * HOUR_MS + MINUTE_MS],
    ['daily-quota', 'quota-exceeded', 4 * HOUR_MS + MINUTE_MS],
    ['token-expired', 'credentials-rejected', undefined],
    ['auth-sign-wrong', 'credentials-rejected', undefined],
    ['undocumented', 'unrecognised-answer', undefined],
  ])('%s is the fault %s', (name, code, retryAfterMs) => {
    const fault = faultThrownBy(() => readList(fixture(name), sentTo('reg-1', 'reg-2')));
    expect(fault).toMatchObject({ code, retryAfterMs, vendorMessage: expect.stringMatching(/\S/) });
  });

  it('a refusal that should have ended by now is not repeated at once', () => {
    const seven = Date.UTC(2026, 0, 15, 23);
    const midnight = Date.UTC(2026, 0, 15, 16);
    const waitAt = (name: string, now: number): number =>
      faultThrownBy(() => readSingle(fixture(name), { ...sentTo('reg-1'), now })).retryAfterMs ?? 0;
    expect(waitAt('night', seven)).toBe(60_000);
    expect(waitAt('daily-quota', midnight)).toBe(60_000);
  });

  it('a server error is a fault of the vendor', () => {
    const body = readFileSync(join(__dirname, '__fixtures__', 'server-error.txt'), 'utf8');
    expect(faultThrownBy(() => parseAnswer(answerSchema, responseWith(body, 500))).code).toBe('vendor-error');
  });
});

it('nulls and an entry that cannot be read say nothing of the other devices', () => {
  const answer = { result: 0, taskId: null, invalidUsers: [{ status: 1 }, null, { status: 1, userid: 'reg-1' }] };
  const outcomes = readList(answerSchema.parse(answer), sentTo('reg-1', 'reg-2'));
  expect(outcomes.map(({ kind }) => kind)).toEqual(['discarded', 'accepted']);
});

describe('a success that names devices', () => {
  const named = (userid: string, status: unknown = 2) => ({ status, userid });
  const kinds = (answer: object, ...ids: string[]) => {
    const parsed = answerSchema.parse({ result: 0, taskId: '121397329', ...answer });
    const outcomes = ids.length === 1 ? readSingle(parsed, sentTo(...ids)) : readList(parsed, sentTo(...ids));
    return outcomes.map((outcome) => (outcome.kind === 'discarded' ? outcome.reason : outcome.kind));
  };

  it.each([
    [1, 'registration-gone'],
    ['2', 'registration-gone'],
    [4, 'message-rejected'],
    [7, 'message-rejected'],
    [null, 'message-rejected'],
  ])('did not send to those with the status %j, in a list or alone', (status, reason) => {
    const user = named('reg-1', status);
    for (const answer of [{ invalidUser: user }, { invalidUsers: [user] }]) {
      expect(kinds(answer, 'reg-1')).toEqual([reason]);
      expect(kinds(answer, 'reg-1', 'reg-2')).toEqual([reason, 'accepted']);
    }
  });

  it('sent to the others, though both fields name some', () => {
    const answer = { invalidUser: named('reg-2'), invalidUsers: [named('reg-3', 4), named('of another call')] };
    const reasons = ['accepted', 'registration-gone', 'message-rejected', 'accepted'];
    expect(kinds(answer, 'reg-1', 'reg-2', 'reg-3', 'reg-4')).toEqual(reasons);
    expect(kinds(answer, 'reg-1')).toEqual(['accepted']);
  });

  it('says nothing of a device where a field is null or names nobody', () => {
    expect(kinds({ invalidUser: null, invalidUsers: null }, 'reg-1')).toEqual(['accepted']);
    expect(kinds({ invalidUser: { status: 2 }, invalidUsers: [] }, 'reg-1', 'reg-2')).toEqual(['accepted', 'accepted']);
  });
});
