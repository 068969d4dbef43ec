import type { ChannelBooks, PushRecord, RecordedError } from '../push-record';
import { unnamedFate } from './unnamed-fate';

const NO_BOOKS: ChannelBooks = {
  ...{ expected: 0, matched: 0, accepted: 0, delivered: 0, lapsed: 0, clicked: 0, truncated: 0 },
  ...{ discarded: {}, failed: {}, outstanding: 0 },
};
const books = (accepted: number, refused = 0, outstanding = 0): ChannelBooks => ({
  ...{ ...NO_BOOKS, expected: accepted + refused + outstanding, matched: accepted + refused + outstanding },
  ...{ accepted, discarded: refused === 0 ? {} : { 'notifications-off': refused }, outstanding },
});
const refusal = (count: number, named: number, vendorCode?: string): RecordedError => ({
  ...{ channel: 'hms', reason: 'notifications-off', count, action: 'never' },
  samples: Array.from({ length: named }, (_, i) => `device-${i}`),
  ...(vendorCode === undefined ? {} : { vendorCode }),
});
const record = (changes: Partial<PushRecord>): PushRecord => ({
  ...{ objectId: 'p', app: 'a', notificationId: 'p', status: 'done', prod: 'prod', msg: {}, where: {} },
  ...{ createdAt: 0, updatedAt: 0, pushTime: 0, expiresAt: 1, channels: {}, errors: [] },
  ...changes,
});

it.each<[string, Partial<PushRecord>, object]>([
  ['all were accepted', { channels: { hms: books(5000) } }, { outcome: 'accepted', channel: 'hms' }],
  ['one of several channels took it', { channels: { hms: books(1), mi: books(2) } }, { outcome: 'accepted' }],
  [
    'those who were not are named',
    { channels: { hms: books(1, 2), ios: books(0, 1) }, errors: [refusal(2, 2), refusal(1, 1)] },
    { outcome: 'accepted', channel: 'hms' },
  ],
  [
    "every verdict of the vendor's is kept, beyond its samples",
    { channels: { hms: books(1, 900) }, errors: [refusal(900, 20, '7')] },
    { outcome: 'accepted', channel: 'hms' },
  ],
  [
    'a rule refused more than the samples name',
    { channels: { hms: books(1, 900) }, errors: [refusal(900, 20)] },
    { outcome: 'not-kept', message: expect.stringContaining('900 notifications-off on hms') },
  ],
  [
    'more verdicts were given than are kept',
    { channels: { hms: books(1, 200_000) }, errors: [refusal(200_000, 20, '7')], hasCutVerdicts: true },
    { outcome: 'not-kept', message: expect.stringContaining('200,000 notifications-off on hms') },
  ],
  ['devices wait', { channels: { hms: books(1, 0, 1) } }, { outcome: 'not-kept', message: /accepted or still waits/ }],
  [
    'the push is under way',
    { status: 'in-queue', channels: { hms: books(3) } },
    { outcome: 'not-kept', message: /100,000/ },
  ],
  ['nobody was matched', {}, { outcome: 'not-matched', message: 'The push matched no installation.' }],
  [
    'everybody else was refused',
    { channels: { hms: books(0, 2) }, errors: [refusal(2, 2)] },
    { outcome: 'not-matched', message: /not among them/ },
  ],
])('when %s', (_name, changes, fate) => {
  const { message, ...told } = unnamedFate(record(changes));
  const { message: expected = message, ...expectedFate } = fate as { message?: string | RegExp };
  expect(told).toEqual(expectedFate);
  if (expected instanceof RegExp) expect(message).toMatch(expected);
  else expect(message).toEqual(expected);
});
