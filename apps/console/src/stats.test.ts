import { statsOf } from './stats';

const AT = '2026-01-02T03:04:05.678Z';

it('joins what a channel did with what it has left, and keeps a channel of which only one is known', () => {
  const told = { reason: 'budget-spent', pushes: 1, devices: 5 } as const;
  const waiting = [{ ...told, until: Date.parse(AT) }];
  const backlog = { channel: 'mi', pushes: 2, devices: 7, waitsSince: Date.parse(AT), waiting };
  const stats = statsOf(
    { at: AT, results: [{ channel: 'hms', decided: 3 }] },
    { channels: [{ ...backlog, estimatedDoneAt: Date.parse(AT) }], isComplete: false },
  );
  expect(stats).toEqual({
    ...{ at: AT, complete: false },
    results: [
      { channel: 'hms', decided: 3, pushes: 0, devices: 0, waiting: [] },
      { channel: 'mi', decided: 0, pushes: 2, devices: 7, waitsSince: AT, estimatedDoneAt: AT, waiting: [told] },
    ],
  });
});
