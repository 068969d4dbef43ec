import { withGroups, type Group } from './sums';

const summed = (...slices: readonly (readonly Group[])[]): readonly Group[] => [
  ...slices.reduce(withGroups, new Map<string, Group>()).values(),
];
const brands = (from: number, to: number): readonly Group[] =>
  Array.from({ length: to - from }, (_, i) => ({ vendor: `brand${from + i}`, reason: 'vendor-unknown', count: 2 }));

it('adds up the same groups of slices', () => {
  const [reached, missed] = [{ vendor: 'HMS' }, { vendor: 'HMS', reason: 'profile-missing', profile: 'game' }];
  expect(
    summed(
      [{ ...reached, count: 1 }],
      [
        { ...missed, count: 2 },
        { ...reached, count: 3 },
      ],
    ),
  ).toEqual([
    ...[
      { ...reached, count: 4 },
      { ...missed, count: 2 },
    ],
  ]);
});

it('counts the others by why they are not reached, with those of a slice', () => {
  const late = [
    { vendor: 'HMS', count: 5 },
    { vendor: 'others', reason: 'stale', count: 3 },
  ];
  const gone = { vendor: 'mi', reason: 'stale', count: 1 };
  const others = summed(brands(0, 200), late, [gone], brands(200, 203)).filter(({ vendor }) => vendor === 'others');
  expect(others).toEqual([
    { vendor: 'others', count: 5 },
    { vendor: 'others', reason: 'stale', count: 4 },
    { vendor: 'others', reason: 'vendor-unknown', count: 6 },
  ]);
});
