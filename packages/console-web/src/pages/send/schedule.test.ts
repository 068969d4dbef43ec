import { isLeftOut, isTooSoon, localOf, momentOf, offsetOf } from './schedule';
import { bodyOf, emptyDraft } from './draft';

const NOW = new Date('2026-11-27T12:00').getTime();

it.each([
  ['2020-01-01T09:00', true],
  ['2026-11-27T11:59', true],
  ['2026-11-27T12:00', true],
  ['2026-11-27T12:01', true],
  ['2026-11-27T12:02', false],
  ['2026-11-28T12:00', false],
  ['', false],
])('at noon %s is too soon for a push that is sent later: %s', (sendAt, is) => {
  expect(isTooSoon({ isLater: true, sendAt }, NOW)).toBe(is);
  expect(isTooSoon({ isLater: false, sendAt }, NOW)).toBe(false);
});

// Tests run in Europe/Berlin, where the clocks go back at 03:00 on the first of these days and forward at 02:00 on the last.
it.each([
  ['2026-10-25T01:59', '2026-10-24T23:59:00.000Z', 'GMT+02:00'],
  ['2026-10-25T02:30', '2026-10-25T00:30:00.000Z', 'GMT+02:00'],
  ['2026-10-25T03:00', '2026-10-25T02:00:00.000Z', 'GMT+01:00'],
  ['2028-02-29T23:59:58', '2028-02-29T22:59:58.000Z', 'GMT+01:00'],
  ['2027-03-28T01:59', '2027-03-28T00:59:00.000Z', 'GMT+01:00'],
  ['2027-03-28T03:00', '2027-03-28T01:00:00.000Z', 'GMT+02:00'],
])('%s is %s, and the page says %s', (sendAt, moment, offset) => {
  const at = momentOf(sendAt);
  expect([at?.toISOString(), at && offsetOf(at), at && localOf(at)]).toEqual([moment, offset, sendAt.slice(0, 16)]);
  expect(isLeftOut(sendAt)).toBe(false);
});

it.each(['2027-03-28T02:00', '2027-03-28T02:59'])('%s, which the clocks leave out, sends nothing', (sendAt) => {
  expect(isLeftOut(sendAt)).toBe(true);
  const draft = { ...emptyDraft(), text: 'Hi', isLater: true };
  expect(bodyOf({ ...draft, sendAt })).toBeUndefined();
  expect(bodyOf({ ...draft, sendAt: '2027-03-28T03:00' })).toMatchObject({ push_time: '2027-03-28T01:00:00.000Z' });
});

it('no time is left out as long as none is typed', () => {
  expect([isLeftOut(''), momentOf('')]).toEqual([false, undefined]);
});
