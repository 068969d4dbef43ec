import { FaultBook, type FaultOrder } from './fault-book';

const fault = (order: Partial<FaultOrder>): FaultOrder => ({
  channel: 'hms',
  kind: 'throttled',
  share: 1,
  delayMs: 0,
  ...order,
});
const CALL = { path: '/send', body: '{"to":["a","b"]}' };
const strikes = (book: FaultBook, calls: number) => Array.from({ length: calls }, () => book.strike('hms', CALL).kind);

describe('FaultBook', () => {
  it('strikes every call of its channel and no other', () => {
    const book = new FaultBook();
    book.put(fault({}));
    expect(strikes(book, 2)).toEqual(['throttled', 'throttled']);
    expect(book.strike('mi', CALL)).toEqual({ delayMs: 0 });
  });

  it.each([0.5, 0.1, 0.25])('strikes the share %d of the calls', (share) => {
    const book = new FaultBook();
    book.put(fault({ share }));
    expect(strikes(book, 1_000).filter((kind) => kind !== undefined)).toHaveLength(1_000 * share);
  });

  it('is over after its count', () => {
    const book = new FaultBook();
    book.put(fault({ count: 2 }));
    book.strike('hms', CALL);
    expect(book.list()).toEqual([fault({ count: 1 })]);
    expect(strikes(book, 2)).toEqual(['throttled', undefined]);
    expect(book.list()).toEqual([]);
  });

  it('lets a delay join with another fault', () => {
    const book = new FaultBook();
    book.put(fault({ kind: 'slow', delayMs: 40 }));
    book.put(fault({ kind: 'reset', count: 1 }));
    expect(book.strike('hms', CALL)).toEqual({ delayMs: 40, kind: 'reset' });
    expect(book.strike('hms', CALL)).toEqual({ delayMs: 40 });
  });

  it.each(['drip', 'retry-after'] as const)('keeps the pace of %s apart from the delay before the answer', (kind) => {
    const book = new FaultBook();
    book.put(fault({ kind, delayMs: 40 }));
    expect(book.strike('hms', CALL)).toEqual({ delayMs: 0, kind, paceMs: 40 });
  });

  it('has no other harm in late than its delay', () => {
    const book = new FaultBook();
    book.put(fault({ kind: 'late', delayMs: 40 }));
    book.put(fault({ kind: 'quota' }));
    expect(book.strike('hms', CALL)).toEqual({ delayMs: 40 });
  });

  it('takes a fault put again for its new version', () => {
    const book = new FaultBook();
    book.put(fault({ count: 5 }));
    book.put(fault({ count: 1 }));
    expect(book.list()).toEqual([fault({ count: 1 })]);
  });

  it('strikes only calls whose path and body say so', () => {
    const book = new FaultBook();
    const answer = { status: 200, body: '{"code":7}' };
    book.put(fault({ kind: 'answer', path: '/send', body: '"b"', answer }));
    expect(book.strike('hms', CALL)).toEqual({ delayMs: 0, answer });
    expect(book.strike('hms', { ...CALL, body: '{"to":["a"]}' })).toEqual({ delayMs: 0 });
    expect(book.strike('hms', { ...CALL, path: '/token' })).toEqual({ delayMs: 0 });
  });

  it('forgets the faults of one channel, and those of all', () => {
    const book = new FaultBook();
    for (const channel of ['hms', 'mi', 'mz']) book.put(fault({ channel }));
    book.clear('mi');
    expect(book.list().map(({ channel }) => channel)).toEqual(['hms', 'mz']);
    book.clear();
    expect(book.list()).toEqual([]);
  });
});
