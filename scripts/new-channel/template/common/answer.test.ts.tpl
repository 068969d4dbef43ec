import { answerFixtures, faultThrownBy, htmlPage, responseWith } from '@pushfleet/channel-kit/testing';
import { readAnswer } from './answer';
import { CODES } from './codes';

const { response: fixture } = answerFixtures(__dirname);
const ids = ['regA', 'regB'];

test('every device of an accepted call carries the message id', () => {
  const taken = { kind: 'accepted', vendorMessageId: 'm-1' };
  expect(readAnswer(fixture('sent'), ids)).toEqual({ kind: 'outcomes', outcomes: [taken, taken] });
});

test('a gone registration does not fail its neighbours', () => {
  expect(readAnswer(fixture('partly-sent'), ids)).toMatchObject({
    outcomes: [{ kind: 'accepted' }, { kind: 'discarded', reason: 'registration-gone' }],
  });
});

test('a code that nobody documents is not guessed at', () => {
  expect(faultThrownBy(() => readAnswer(fixture('unknown-code'), ids)).code).toBe('unrecognised-answer');
});

test('a page of something in between is no answer of the vendor', () => {
  expect(readAnswer(htmlPage(401), ids)).toMatchObject({ kind: 'token-refused' });
  expect(faultThrownBy(() => readAnswer(htmlPage(502), ids)).code).toBe('vendor-error');
});

test('every documented code has what follows from it', () => {
  for (const [code, row] of Object.entries(CODES)) {
    const read = () => readAnswer(responseWith(JSON.stringify({ code })), ids);
    if ('fault' in row) expect(faultThrownBy(read)).toMatchObject({ code: row.fault, vendorCode: code });
    else expect(read().kind).toBe('token' in row ? 'token-refused' : 'outcomes');
  }
});
