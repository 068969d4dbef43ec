import { FaultBook, type FaultOrder } from './fault-book';

const fault = (order: Partial<FaultOrder>): FaultOrder => ({
  channel: 'hms',
  kind: 'throttled',
  share: 1,
  delayMs: 0,
  ...order,
});
const strikes = (book: FaultBook, calls: number) => Array.from({ length: calls }, () => book.strike('hms', '/').kind);

describe('FaultBook', () => {
  it('strikes every call of its channel and no other', () => {
    const book = new FaultBook();
    book.put(fault({}));
    expect(strikes(book, 2)).toEqual(['throttled', 'throttled']);
    expect(book.strike('mi', '/')).toEqual({ delayMs: 0 });
  });

  it.each([0.5, 0.1, 0.25])('strikes the share %d of the calls', (share) => {
    const book = new FaultBook();
    book.put(fault({ share }));
    expect(strikes(book, 1_000).filter((kind) => kind !== undefined)).toHaveLength(1_000 * share);
  });

  it('is over after its count', () => {
    const book = new FaultBook();
    book.put(fault({ count: 2 }));
    book.strike('hms', '/');
    expect(book.list()).toEqual([fault({ count: 1 })]);
    expect(strikes(book, 2)).toEqual(['throttled', undefined]);
    expect(book.list()).toEqual([]);
  });

  it('lets a delay join with another fault', () => {
    const book = new FaultBook();
    book.put(fault({ kind: 'slow', delayMs: 40 }));
    book.put(fault({ kind: 'reset', count: 1 }));
    expect(book.strike('hms', '/')).toEqual({ delayMs: 40, kind: 'reset' });
    expect(book.strike('hms', '/')).toEqual({ delayMs: 40 });
  });

  it('takes a fault put again for its new version', () => {
    const book = new FaultBook();
    book.put(fault({ count: 5 }));
    book.put(fault({ count: 1 }));
    expect(book.list()).toEqual([fault({ count: 1 })]);
  });
});
