import { MAX_ENVELOPE, openNextGroup } from './next-group';

const queued = (app: string, standsBack: number, cost = 1) => ({
  share: { account: app, cost },
  standsBack,
});
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
type Queued = ReturnType<typeof queued>;
const appsIn = (group: readonly Queued[]): string[] => [...new Set(group.map(({ share }) => share.account))];

test('a push among those of a storm is in the next envelope, and none of the storm with it', () => {
  const waiting = [...times(1000, () => queued('storm', 3)), queued('other', 0), queued('third', 0)];
  const next = openNextGroup(waiting);
  expect(appsIn(next())).toEqual(['other', 'third']);
  expect(waiting).toHaveLength(1000);
});

test('a storm gets on beside all others', () => {
  const waiting = [...times(300, () => queued('other', 0)), ...times(300, () => queued('storm', 1))];
  const next = openNextGroup(waiting);
  expect(times(4, () => appsIn(next())[0])).toEqual(['other', 'storm', 'other', 'storm']);
});

test('each storm has envelopes of its own, with few pushes when these are costly', () => {
  const waiting = [...times(100, () => queued('a', 1, 4)), ...times(100, () => queued('b', 1))];
  const next = openNextGroup(waiting);
  const groups: (readonly Queued[])[] = [];
  while (waiting.length > 0) groups.push(next());
  expect(groups.every((group) => appsIn(group).length === 1)).toBe(true);
  expect(groups[0]).toHaveLength(MAX_ENVELOPE / 4);
  expect(groups.flat()).toHaveLength(200);
});

test('as long as nobody storms, pushes go as they come', () => {
  const waiting = times(100, () => queued('app', 0));
  const next = openNextGroup(waiting);
  expect([next().length, next().length]).toEqual([64, 36]);
});
