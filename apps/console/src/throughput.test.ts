import type { Total } from '@pushfleet/store';
import { decidedBy } from './throughput';

const total = (channel: string, [kind, value]: readonly [Total['kind'], string], count: number): Total => ({
  ...{ channel, kind, value, count },
});

it('adds up the devices that have a verdict, whichever, and nothing else that is counted of them', () => {
  const totals = [
    total('mi', ['count', 'accepted'], 5),
    total('mi', ['discarded', 'expired'], 2),
    total('mi', ['failed', 'unreachable'], 1),
    ...['expected', 'matched', 'outstanding', 'delivered', 'clicked'].map((value) =>
      total('mi', ['count', value], 100),
    ),
    total('mi', ['note', 'whatever'], 100),
  ];
  expect(decidedBy(['mi'], totals)).toEqual([{ channel: 'mi', decided: 8 }]);
});

it('tells every channel of the fleet, and one that is no more for as long as it was counted', () => {
  expect(decidedBy(['own', 'hms'], [total('former', ['count', 'accepted'], 3)])).toEqual([
    { channel: 'former', decided: 3 },
    { channel: 'hms', decided: 0 },
    { channel: 'own', decided: 0 },
  ]);
});
