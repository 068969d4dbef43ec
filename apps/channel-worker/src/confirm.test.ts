import { confirmTaken } from './confirm';
import type { Settlement } from './settle';

const taken = { kind: 'accepted' } as const;
const refused = { kind: 'discarded', reason: 'registration-gone' } as const;
const devices = [
  { objectId: 'o1', registrationId: 'r1' },
  { objectId: 'o2', registrationId: 'r2' },
  { objectId: 'r3', registrationId: 'r3' },
];

function confirmedBy(channel: string): readonly unknown[] {
  const noted: unknown[] = [];
  const confirmations = { note: (...said: unknown[]) => void noted.push(said), flush: async () => undefined };
  const push = { app: 'an app' } as Settlement['push'];
  confirmTaken({ confirmations }, { push, channel, devices, verdicts: [taken, refused, taken] });
  return noted;
}

test('a vendor that took a message confirms its device, known by whatever the sender knew', () => {
  expect(confirmedBy('hms')).toEqual([
    ['an app', 'registrationId', ['r3']],
    ['an app', 'objectId', ['o1']],
  ]);
});

test('the own channel takes a message for any name, and confirms nobody', () => {
  expect(confirmedBy('own')).toEqual([]);
});
