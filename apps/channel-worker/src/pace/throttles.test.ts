import type { VendorWait } from '@pushfleet/store';
import { fakeClock } from '@pushfleet/testing';
import type { BatchResult } from '../verdict';
import { Throttles } from './throttles';

const OF = { app: 'app', profile: '_default' };
const OTHER = { app: 'other', profile: '_default' };
const taken: BatchResult = { verdicts: [{ kind: 'accepted' }] };
const askedToWait = (retryAfterMs?: number): BatchResult => ({
  retry: { pause: 'wait', retryAfterMs, booksAs: 'expired', words: {} },
});

function rig() {
  const clock = fakeClock();
  const told: (VendorWait | undefined)[] = [];
  const note = (_: unknown, wait: VendorWait | undefined): Promise<void> => Promise.resolve(void told.push(wait));
  const throttles = new Throttles(clock.now, note, () => 1);
  return { told, clock, throttles, wait: () => throttles.waitMs(OF) };
}

/** A vendor that asked for a wait, which is over, and one page that tries again. */
async function trying() {
  const opened = rig();
  await opened.throttles.ended(OF, askedToWait(1000));
  opened.clock.advance(1200);
  opened.throttles.begin(OF);
  return opened;
}

it('nothing waits for a vendor that did not ask for it', async () => {
  const { throttles, wait } = rig();
  throttles.begin(OF);
  await throttles.ended(OF, taken);
  expect(wait()).toBe(0);
});

it('all pages of the profile wait for as long as the vendor says, and those of others do not', async () => {
  const { throttles, clock, wait } = rig();
  await throttles.ended(OF, askedToWait(1000));
  expect([wait(), throttles.waitMs(OTHER)]).toEqual([1200, 0]);
  clock.advance(1200);
  expect(wait()).toBe(0);
});

it('one page tries, and the others wait for how that ends', async () => {
  const { throttles, wait } = await trying();
  expect(wait()).toBeGreaterThan(0);
  await throttles.ended(OF, taken);
  expect(wait()).toBe(0);
});

it('a trial that nobody hears of again keeps others from theirs for half a second', async () => {
  const { clock, wait } = await trying();
  clock.advance(500);
  expect(wait()).toBe(0);
});

it('pauses grow while the vendor does not say for how long, and begin anew once it took something', async () => {
  const { throttles, clock, wait } = rig();
  const pauses = [];
  for (let i = 0; i < 4; i += 1) {
    throttles.begin(OF);
    await throttles.ended(OF, askedToWait());
    pauses.push(wait());
    clock.advance(wait());
  }
  throttles.begin(OF);
  await throttles.ended(OF, taken);
  await throttles.ended(OF, askedToWait());
  expect([...pauses, wait()]).toEqual([500, 1000, 2000, 4000, 500]);
});

it('one page asks again after a minute, however long the vendor said', async () => {
  const { throttles, wait } = rig();
  await throttles.ended(OF, askedToWait(3_600_000));
  expect(wait()).toBe(60_000);
});

it('a message that the vendor takes after the pause ends it without a trial', async () => {
  const { throttles, clock } = rig();
  await throttles.ended(OF, askedToWait(1000));
  clock.advance(1200);
  await throttles.ended(OF, taken);
  expect(throttles.booksAs(OF)).toBeUndefined();
});

it('what expires meanwhile is booked as the vendor explained it', async () => {
  const { throttles } = rig();
  expect(throttles.booksAs(OF)).toBeUndefined();
  await throttles.ended(OF, { retry: { pause: 'wait', retryAfterMs: 1000, booksAs: 'quota-exceeded', words: {} } });
  expect(throttles.booksAs(OF)).toBe('quota-exceeded');
});

it('calls that were under way when the vendor asked to wait neither end the pause nor prolong it', async () => {
  const { throttles, clock, wait } = rig();
  await throttles.ended(OF, askedToWait(1000));
  clock.advance(200);
  await throttles.ended(OF, taken);
  await throttles.ended(OF, askedToWait(1000));
  expect(wait()).toBe(1000);
});

it('the others learn of it, and when it is over', async () => {
  const { throttles, clock, told } = rig();
  const start = clock.now();
  await throttles.ended(OF, askedToWait(1000));
  clock.advance(1200);
  throttles.begin(OF);
  await throttles.ended(OF, taken);
  await throttles.ended(OF, taken);
  expect(told).toEqual([{ until: start + 1200, reason: 'throttled' }, undefined]);
});

it('of many profiles, those that nobody has sent to since are forgotten, and no other', async () => {
  const { throttles, clock } = rig();
  const named = (profile: string) => ({ app: 'app', profile });
  await throttles.ended(OF, askedToWait(1000));
  clock.advance(500_000);
  await throttles.ended(OTHER, askedToWait(1000));
  clock.advance(500_000);
  for (let n = 0; n < 1000; n += 1) await throttles.ended(named(`p${n}`), askedToWait(60_000));
  expect([OF, OTHER, named('p0')].map((of) => throttles.booksAs(of))).toEqual([undefined, 'expired', 'expired']);
});

it('nothing waits for as long as the clock was set back', async () => {
  const { throttles, clock, wait } = rig();
  await throttles.ended(OF, askedToWait(1000));
  clock.advance(-3_600_000);
  expect(wait()).toBe(0);
  await throttles.ended(OF, askedToWait(1000));
  expect(wait()).toBe(1200);
});
