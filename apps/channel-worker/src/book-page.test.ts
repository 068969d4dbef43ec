import { bookPage } from './book-page';
import { refusal, type Verdict } from './verdict';

const NOW = 1_000_000;
const page = (verdicts: readonly Verdict[], count = verdicts.length, limited = 0) =>
  bookPage({
    ...{ channel: 'hms', profile: 'game' },
    devices: Array.from({ length: count }, (_, i) => ({ objectId: `o${i}`, registrationId: `r${i}` })),
    verdicts,
    ...{ limited, now: NOW },
  });
const counts = (...args: Parameters<typeof page>) => Object.fromEntries(page(...args).books.counts);
const deferred = (retryAfterMs: number): Verdict => ({ kind: 'deferred', retryAfterMs, reason: 'unreachable' });

test('every device is counted in exactly one place', () => {
  const verdicts: Verdict[] = [
    { kind: 'accepted' },
    { kind: 'accepted', truncated: true },
    refusal('registration-gone'),
    refusal('vendor-error'),
    deferred(1),
  ];
  expect(counts(verdicts)).toEqual({
    accepted: 2,
    truncated: 1,
    'd:registration-gone': 1,
    'f:vendor-error': 1,
    outstanding: 1,
  });
});

test('a device that the channel forgot is a defect of ours, not a lost device', () => {
  expect(counts([{ kind: 'accepted' }], 3)).toEqual({ accepted: 1, 'f:internal-error': 2 });
});

test('only reasons that say so take a registration out of the audience', () => {
  const { dead } = page([refusal('registration-gone'), refusal('frequency-capped'), refusal('vendor-error')]);
  expect(dead).toEqual([{ objectId: 'o0', registrationId: 'r0' }]);
});

test('deferred devices are due when the most patient of them is, with the reason to book them by', () => {
  expect(page([deferred(10), { kind: 'accepted' }, deferred(30)]).deferred).toEqual([
    { devices: [['o0'], ['o2']], dueAt: NOW + 30, booksAs: 'unreachable', limited: 0, isUnknown: false },
  ]);
  expect(page([{ kind: 'accepted' }]).deferred).toEqual([]);
});

test('deferred devices that may have got the message are apart from those that have not', () => {
  const unknown: Verdict = { kind: 'deferred', retryAfterMs: 5, reason: 'unknown-outcome', isUnknown: true };
  expect(page([deferred(10), unknown, deferred(30)]).deferred).toEqual([
    { devices: [['o0'], ['o2']], dueAt: NOW + 30, booksAs: 'unreachable', limited: 0, isUnknown: false },
    { devices: [['o1']], dueAt: NOW + 5, booksAs: 'unknown-outcome', limited: 0, isUnknown: true },
  ]);
});

test('the words of the vendor are kept for the device, decisions of our own are only counted', () => {
  const words = { vendorCode: '80300007', vendorMessage: 'invalid' };
  const { books } = page([refusal('registration-gone', words), refusal('expired')]);
  expect(books.verdicts).toEqual([['o0', expect.stringContaining('80300007')]]);
  expect([...books.errors.values()]).toEqual([
    { channel: 'hms', reason: 'registration-gone', count: 1, samples: ['o0'], ...words },
    { channel: 'hms', reason: 'expired', count: 1, samples: ['o1'] },
  ]);
});

test('what a channel left out is counted by its words, for the devices that got the message', () => {
  const notes = ['the badge was left out', 'attributes travel once'];
  expect(
    counts([{ kind: 'accepted', notes }, { kind: 'accepted', notes }, refusal('registration-gone')]),
  ).toMatchObject({
    'w:the badge was left out': 2,
    'w:attributes travel once': 2,
  });
});

test('a device that may be tried twice is booked after the second try, in the words of the vendor', () => {
  const again: Verdict = {
    ...{ kind: 'deferred', retryAfterMs: 10, reason: 'unreachable' },
    ...{ maxTries: 2, vendorCode: 'failTokens' },
  };
  expect(counts([again], 1, 0)).toEqual({ outstanding: 1 });
  expect(page([again], 1, 0).deferred).toMatchObject([{ limited: 1 }]);
  expect(counts([again], 1, 1)).toEqual({ 'f:unreachable': 1 });
  expect(page([again], 1, 1).books.verdicts).toEqual([['o0', expect.stringContaining('failTokens')]]);
});

test('devices whose profile is missing tell which one', () => {
  expect(counts([refusal('profile-missing'), refusal('profile-missing'), refusal('expired')])).toEqual({
    'd:profile-missing': 2,
    'd:expired': 1,
    'w:there is no profile "game"': 2,
  });
});
