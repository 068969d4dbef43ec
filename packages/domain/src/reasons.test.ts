import { adviceFor, ADVICE_TEXTS, DISCARD_POLICY, FAILURE_POLICY, isFailureReason, type Reason } from './reasons';

it('the lists of reasons are closed', () => {
  expect(Object.keys(DISCARD_POLICY).sort()).toEqual(
    [
      ...['silent-unsupported', 'payload-too-large', 'package-name-too-long', 'profile-missing', 'channel-unavailable'],
      ...['vendor-unknown', 'platform-unsupported', 'registration-missing', 'registration-gone', 'notifications-off'],
      ...['frequency-capped', 'quota-exceeded', 'expired', 'cancelled', 'credentials-rejected', 'message-rejected'],
    ].sort(),
  );
  expect(Object.keys(FAILURE_POLICY).sort()).toEqual(
    ['internal-error', 'unknown-outcome', 'unreachable', 'unrecognised-answer', 'vendor-error'].sort(),
  );
});

it('a reason is a discard or a failure, never both', () => {
  for (const reason of Object.keys(DISCARD_POLICY)) expect(isFailureReason(reason)).toBe(false);
  for (const reason of Object.keys(FAILURE_POLICY)) expect(isFailureReason(reason)).toBe(true);
  expect(isFailureReason('toString')).toBe(false);
});

it('every reason tells what to do', () => {
  for (const reason of [...Object.keys(DISCARD_POLICY), ...Object.keys(FAILURE_POLICY)] as Reason[])
    expect(ADVICE_TEXTS).toHaveProperty(adviceFor(reason));
});

it('only a dead registration takes an installation out of the audience', () => {
  const retiring = Object.entries({ ...DISCARD_POLICY, ...FAILURE_POLICY }).filter(([, policy]) => policy.retires);
  expect(retiring.map(([reason]) => reason)).toEqual(['registration-gone']);
});
