import { Books, encodeBooks } from './books';

it('counts add up under one name, and nothing is written for zero', () => {
  const books = new Books('hms');
  books.accept(2);
  books.accept(3);
  books.add('outstanding', 0);
  expect([...books.counts]).toEqual([['accepted', 5]]);
});

it('an error is told apart by reason and vendor code, with at most 20 samples', () => {
  const books = new Books('hms');
  const samples = Array.from({ length: 15 }, (_, i) => `a${i}`);
  for (let i = 0; i < 2; i += 1)
    books.refuse('discarded', 'message-rejected', { count: 15, samples, vendorCode: '1', vendorMessage: 'no' });
  books.refuse('discarded', 'message-rejected', { count: 1, samples: ['b'], vendorCode: '2' });
  books.refuse('failed', 'unreachable', { count: 30, samples: Array(30).fill('c') });
  expect([...books.errors.values()].map(({ count, samples: kept }) => [count, kept.length])).toEqual([
    [30, 20],
    [1, 1],
    [30, 20],
  ]);
  expect([...books.counts]).toEqual([
    ['d:message-rejected', 31],
    ['f:unreachable', 30],
  ]);
});

it('a device that is refused keeps its verdict', () => {
  const books = new Books('mi');
  books.refuseDevice('failed', 'vendor-error', { objectId: 'x', vendorCode: '5', vendorMessage: 'busy' });
  expect(books.verdicts.map(([id, text]) => [id, JSON.parse(text)])).toEqual([
    ['x', { channel: 'mi', outcome: 'failed', reason: 'vendor-error', vendorCode: '5', vendorMessage: 'busy' }],
  ]);
});

it('words of a vendor that repeat a whole call are kept short, for every device', () => {
  const books = new Books('hms');
  const long = { vendorCode: '8'.repeat(1000), vendorMessage: 'x'.repeat(100_000) };
  for (let i = 0; i < 10; i += 1) books.refuseDevice('discarded', 'registration-gone', { objectId: `d${i}`, ...long });
  books.refuse('failed', 'vendor-error', { count: 1, samples: ['e'], ...long });
  expect(JSON.stringify([books.verdicts, [...books.errors], encodeBooks([books])]).length).toBeLessThan(10_000);
  for (const { vendorMessage } of books.errors.values()) expect(vendorMessage).toHaveLength(200);
});

it('are what a script takes: counters with deltas, errors, objectIds with verdicts', () => {
  const books = new Books('mi');
  books.refuseDevice('discarded', 'expired', { objectId: 'x' });
  books.accept(1);
  expect(encodeBooks([books])).toEqual({
    counters: ['c|mi|d:expired', 1, 'c|mi|accepted', 1],
    errors: [{ key: 'mi|expired|', count: 1, message: '', samples: 'x' }],
    refused: ['x', '{"channel":"mi","outcome":"discarded","reason":"expired"}'],
  });
  expect(encodeBooks([])).toEqual({ counters: [], errors: [], refused: [] });
});

it('notes are counters named after their words, short and few', () => {
  const books = new Books('hms');
  books.note('a|b', 2);
  books.note('a|b', 1);
  for (let i = 0; i < 20; i += 1) books.note(`${i}${'x'.repeat(300)}`, 1);
  const names = [...books.counts.keys()];
  expect(books.counts.get('w:a/b')).toBe(3);
  expect(names).toHaveLength(10);
  expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(202);
});
