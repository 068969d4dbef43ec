import type { PushHold } from '@pushfleet/store';
import { HOLD_MS, isHeldAt, nextPushHold, type PushHoldEvent } from './push-hold';

const NOW = 1_700_000_000_000;
const spent: PushHoldEvent = { kind: 'spent', expiresAt: NOW + 10 * HOLD_MS, vendorCode: '7' };
const probe: PushHoldEvent = { kind: 'probe', prober: 'a' };
const failed: PushHoldEvent = { kind: 'failed', prober: 'a' };

/** What became of it, one second after the other unless told otherwise. */
function after(...events: readonly (PushHoldEvent | { readonly waitMs: number })[]) {
  let [hold, now]: [PushHold | undefined, number] = [undefined, NOW];
  for (const event of events)
    if ('waitMs' in event) now += event.waitMs;
    else hold = nextPushHold(hold, event, { now, probeMs: 60_000 });
  return { hold, now, isHeld: hold !== undefined && isHeldAt(hold, now) };
}

test('a page that spent its tries holds the push, for an hour at most', () => {
  expect(after(spent).hold).toEqual({
    since: NOW,
    until: NOW + HOLD_MS,
    probeAt: NOW + 1000,
    probes: 0,
    vendorCode: '7',
  });
  expect(after(spent, { waitMs: HOLD_MS - 1 }).isHeld).toBe(true);
  expect(after(spent, { waitMs: HOLD_MS }).isHeld).toBe(false);
  expect(after({ ...spent, expiresAt: NOW + 5 }, { waitMs: 5 }).isHeld).toBe(false);
});

test('after its hour a push goes on for good: another page does not hold it again', () => {
  expect(after(spent, { waitMs: HOLD_MS }, spent).isHeld).toBe(false);
  expect(after(spent, { waitMs: HOLD_MS }, { kind: 'time' }, spent).isHeld).toBe(false);
  expect(after(spent, { waitMs: 25 * HOLD_MS }, { kind: 'time' }).hold).toBeUndefined();
});

test('one call tries at a time, with growing pauses', () => {
  expect(after(spent, probe).hold?.prober).toBeUndefined();
  expect(after(spent, { waitMs: 1000 }, probe, { kind: 'probe', prober: 'b' }).hold).toMatchObject({
    prober: 'a',
    probes: 1,
  });
  const pauses: number[] = [];
  const events: (PushHoldEvent | { readonly waitMs: number })[] = [spent, { waitMs: 1000 }];
  for (let n = 0; n < 12; n += 1) {
    const { hold, now } = after(...events, probe, failed);
    pauses.push((hold?.probeAt ?? 0) - now);
    events.push(probe, failed, { waitMs: pauses.at(-1) ?? 0 });
  }
  expect(pauses.slice(0, 4)).toEqual([2000, 4000, 8000, 16_000]);
  expect(pauses.at(-1)).toBe(300_000);
});

test('a device that is taken lets the push go on, and a later page may hold it again', () => {
  const taken: PushHoldEvent = { kind: 'taken', prober: 'a' };
  expect(after(spent, { waitMs: 1000 }, probe, taken).hold).toBeUndefined();
  expect(after(spent, { waitMs: 1000 }, probe, taken, spent).isHeld).toBe(true);
  expect(after(spent, { waitMs: 1000 }, probe, { ...taken, prober: 'b' }).isHeld).toBe(true);
});

test('a device that the vendor knows is gone proves nothing: the next one is asked soon', () => {
  const { hold, now } = after(spent, { waitMs: 1000 }, probe, { kind: 'unproven', prober: 'a' });
  expect(hold?.probeAt).toBe(now + 100);
});

test('a probe whose worker died is made by another', () => {
  const { hold } = after(spent, { waitMs: 1000 }, probe, { waitMs: 60_000 }, { kind: 'probe', prober: 'b' });
  expect(hold?.prober).toBe('b');
});

test('what nobody comes back for is forgotten', () => {
  expect(after(spent, { waitMs: 200_000 }, { kind: 'time' }).isHeld).toBe(true);
  expect(after(spent, { waitMs: 302_000 }, { kind: 'time' }).hold).toBeUndefined();
});
