import { RequestError } from '../errors';
import { clockCheck, doctorText, reachabilityProblem } from './doctor';

const AT = Date.parse('2026-01-01T00:00:10.000Z');

describe('clockCheck', () => {
  it.each([
    ['within the round trip', 0, 'ok'],
    ['a little ahead', 900, 'ok'],
    ['seconds behind', -5000, 'warning'],
    ['minutes ahead', 120_000, 'problem'],
  ])('judges a console whose clock is %s', (_, ahead, status) => {
    expect(clockCheck({ console: AT + ahead, between: [AT - 20, AT + 20] })).toMatchObject({ status });
  });
});

describe('doctorText', () => {
  const fine = { check: 'redis-version', subject: 'redis:6379', status: 'ok', finding: '7.4.1' } as const;

  it('gives every check a line', () => {
    expect(doctorText({ ok: true, at: '', checks: [fine] })).toBe(
      'STATUS  CHECK          ABOUT       FINDING\nok      redis-version  redis:6379  7.4.1\n',
    );
  });

  it('says what to do about what is not fine', () => {
    const bad = {
      ...fine,
      check: 'redis-memory',
      status: 'problem',
      finding: 'full',
      advice: 'raise maxmemory',
    } as const;
    const [, advices] = doctorText({ ok: false, at: '', checks: [fine, bad] }).split('\n\n');
    expect(advices).toMatch(/^STATUS +CHECK +ABOUT +WHAT TO DO\nproblem +redis-memory +redis:6379 +raise maxmemory\n$/);
  });
});

test('a console that does not answer is a problem with an advice', () => {
  const check = reachabilityProblem(new RequestError('cannot reach http://127.0.0.1:9'));
  expect(check).toMatchObject({ status: 'problem', finding: 'cannot reach http://127.0.0.1:9' });
  expect(check.advice).toContain('PUSHFLEET_URL');
});
