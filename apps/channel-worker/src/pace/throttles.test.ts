import { fakeClock } from '@pushfleet/testing';
import type { BatchResult } from '../send-batch';
import { Throttles } from './throttles';

const OF = { app: 'app', profile: '_default' };
const OTHER = { app: 'other', profile: '_default' };
const taken: BatchResult = { verdicts: [{ kind: 'accepted' }] };
const askedToWait = (retryAfterMs?: number): BatchResult => ({
  retry: { pause: 'wait', retryAfterMs, booksAs: 'expired', words: {} },
});

function rig() {
  const clock = fakeClock();
  const throttles = new Throttles(clock.now, () => 1);
  return { clock, throttles, wait: () => throttles.waitMs(OF) };
}

it('nothing waits for a vendor that did not ask for it', () => {
  const { throttles, wait } = rig();
  throttles.begin(OF);
  throttles.ended(OF, taken);
  expect(wait()).toBe(0);
});

it('all pages of the profile wait for as long as the vendor says, and those of others do not', () => {
  const { throttles, clock, wait } = rig();
  throttles.ended(OF, askedToWait(1000));
  expect([wait(), throttles.waitMs(OTHER)]).toEqual([1200, 0]);
  clock.advance(1200);
  expect(wait()).toBe(0);
});

it('one page tries, and the others wait for how that ends', () => {
  const { throttles, clock, wait } = rig();
  throttles.ended(OF, askedToWait(1000));
  clock.advance(1200);
  throttles.begin(OF);
  expect(wait()).toBeGreaterThan(0);
  throttles.ended(OF, taken);
  expect(wait()).toBe(0);
});

it('a trial that nobody hears of again keeps others from theirs for half a second', () => {
  const { throttles, clock, wait } = rig();
  throttles.ended(OF, askedToWait(1000));
  clock.advance(1200);
  throttles.begin(OF);
  clock.advance(500);
  expect(wait()).toBe(0);
});

it('pauses grow while the vendor does not say for how long, and begin anew once it took something', () => {
  const { throttles, clock, wait } = rig();
  const pauses = [];
  for (let i = 0; i < 4; i += 1) {
    throttles.begin(OF);
    throttles.ended(OF, askedToWait());
    pauses.push(wait());
    clock.advance(wait());
  }
  throttles.begin(OF);
  throttles.ended(OF, taken);
  throttles.ended(OF, askedToWait());
  expect([...pauses, wait()]).toEqual([500, 1000, 2000, 4000, 500]);
});

it('one page asks again after a minute, however long the vendor said', () => {
  const { throttles, wait } = rig();
  throttles.ended(OF, askedToWait(3_600_000));
  expect(wait()).toBe(60_000);
});

it('a message that the vendor takes after the pause ends it without a trial', () => {
  const { throttles, clock } = rig();
  throttles.ended(OF, askedToWait(1000));
  clock.advance(1200);
  throttles.ended(OF, taken);
  expect(throttles.booksAs(OF)).toBeUndefined();
});

it('what expires meanwhile is booked as the vendor explained it', () => {
  const { throttles } = rig();
  expect(throttles.booksAs(OF)).toBeUndefined();
  throttles.ended(OF, { retry: { pause: 'wait', retryAfterMs: 1000, booksAs: 'quota-exceeded', words: {} } });
  expect(throttles.booksAs(OF)).toBe('quota-exceeded');
});

it('calls that were under way when the vendor asked to wait neither end the pause nor prolong it', () => {
  const { throttles, clock, wait } = rig();
  throttles.ended(OF, askedToWait(1000));
  clock.advance(200);
  throttles.ended(OF, taken);
  throttles.ended(OF, askedToWait(1000));
  expect(wait()).toBe(1000);
});
