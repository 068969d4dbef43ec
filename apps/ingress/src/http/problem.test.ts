import { ReceiptRefused, SectionProblem } from '@pushfleet/channel-kit';
import { InvalidInput } from '@pushfleet/domain';
import { diagnose } from '@pushfleet/http-edge';
import { apiDialect, PROBLEMS, Refusal, type Problem } from './problem';

const problemAnswer = (error: unknown) =>
  apiDialect.answer(diagnose(apiDialect, error) ?? { problem: 'defect', message: apiDialect.texts.defect('id') });

const answerOf = (error: unknown) => {
  const { status, body } = problemAnswer(error);
  return { status, ...(JSON.parse(body) as { code: number; error: string }) };
};

it.each([
  ['malformed-json', 400, 107],
  ['wrong-type', 400, 111],
  ['required-field', 400, 113],
  ['invalid-query', 400, 102],
  ['channel-name', 400, 112],
  ['push-time', 400, 152],
  ['expiration-conflict', 400, 115],
  ['threshold', 400, 154],
  ['key-name', 400, 105],
  ['misconfigured', 400, 1],
  ['malformed-url', 400, 400],
  ['object-missing', 400, 1],
  ['no-effect', 400, 305],
  ['unauthorised', 401, 401],
  ['not-for-clients', 403, 119],
  ['route-unknown', 404, 404],
  ['too-large', 413, 413],
  ['unsupported-encoding', 415, 415],
] as const)('%s is answered %d with code %d', (problem, status, code) => {
  expect(answerOf(new Refusal(problem, 'why'))).toEqual({ status, code, error: 'why' });
});

it.each([
  ...(['malformed-json', 'wrong-type', 'required-field', 'invalid-query', 'channel-name', 'push-time'] as const),
  ...(['expiration-conflict', 'threshold', 'key-name', 'misconfigured', 'too-large'] as const),
])('input that is refused as %s is answered so, in its own words', (problem) => {
  const { status, code } = PROBLEMS[problem];
  expect(answerOf(new InvalidInput(problem, 'what is wrong'))).toEqual({ status, code, error: 'what is wrong' });
});

it('a section that asks for too much is a wrong type', () => {
  const error = new SectionProblem('token: targets are not allowed here');
  expect(answerOf(error)).toEqual({ status: 400, code: 111, error: 'token: targets are not allowed here' });
});

it('a callback without the vendor’s credential is refused without telling which', () => {
  expect(answerOf(new ReceiptRefused('expected abc'))).toMatchObject({ status: 401, code: 401 });
  expect(answerOf(new ReceiptRefused('expected abc')).error).not.toContain('abc');
});

it('a path that cannot be decoded is a malformed address', () => {
  expect(answerOf(new URIError('URI malformed'))).toMatchObject({ status: 400, code: 400 });
});

it.each([
  Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:6379'), { code: 'ECONNREFUSED' }),
  new Error('Command timed out'),
  new Error('Connection is closed.'),
  Object.assign(new Error('OOM command not allowed when used memory > maxmemory'), { name: 'ReplyError' }),
  Object.assign(new Error('LOADING Redis is loading the dataset in memory'), { name: 'ReplyError' }),
])('$message is a passing 503 with a time to come back', (error) => {
  const answer = problemAnswer(error);
  expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  expect(JSON.parse(answer.body)).toMatchObject({ code: 503 });
  expect(answer.body).not.toContain(error.message);
});

it.each([
  ['a bug', new TypeError('secret-value is not a function')],
  ['a bad script', Object.assign(new Error('ERR wrong number of arguments: secret-value'), { name: 'ReplyError' })],
  ['something thrown', 'secret-value'],
])('%s is answered 500 and tells nothing', (_, error) => {
  expect(answerOf(error)).toEqual({ status: 500, code: 1, error: 'Internal error. Request id.' });
});

it('every row is an error status', () => {
  for (const problem of Object.keys(PROBLEMS) as Problem[]) {
    expect(PROBLEMS[problem].status).toBeGreaterThanOrEqual(400);
    expect(PROBLEMS[problem].code).toBeGreaterThan(0);
  }
});
