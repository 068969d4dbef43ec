import { imbalanceOf, type ChannelBooks } from './push-record';

const books = (changes: Partial<ChannelBooks>): ChannelBooks => ({
  ...{ expected: 0, matched: 0, accepted: 0, delivered: 0, lapsed: 0, clicked: 0, truncated: 0, outstanding: 0 },
  discarded: {},
  failed: {},
  ...changes,
});

it('books add up when every matched device is in exactly one place', () => {
  const places = { accepted: 4, discarded: { expired: 1, cancelled: 2 }, failed: { unreachable: 1 }, outstanding: 2 };
  expect(imbalanceOf(books({ matched: 10, ...places }))).toBe(0);
  expect(imbalanceOf(books({ matched: 11, ...places }))).toBe(1);
});

it('later facts do not change the balance', () => {
  expect(imbalanceOf(books({ matched: 2, accepted: 2, delivered: 2, clicked: 1, lapsed: 1, truncated: 2 }))).toBe(0);
});
