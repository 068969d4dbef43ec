import { fakeClock } from '@pushfleet/testing';
import { progressCheck } from './progress-check';

const MINUTE = 60_000;

function underTest() {
  const { now, advance } = fakeClock();
  const state = { waiting: 0, held: 0, progressAt: now(), isRedisAway: false };
  const consumer = { queue: 'q', lastProgressAt: () => state.progressAt, heldJobs: () => state.held };
  const depth = async (): Promise<Record<string, number>> => {
    if (state.isRedisAway) throw new Error('away');
    return { waiting: state.waiting, active: 1, delayed: 7, prioritized: 0 };
  };
  return { state, now, advance, check: progressCheck(consumer, { depth }, now) };
}

test('an idle process lives, however long', async () => {
  const { check, advance } = underTest();
  await check();
  advance(60 * MINUTE);
  await expect(check()).resolves.toBeUndefined();
});

test.each(['waiting', 'held'] as const)('%s work without progress for two minutes fails', async (kind) => {
  const { state, check, advance } = underTest();
  state[kind] = 1;
  await check();
  advance(2 * MINUTE);
  await check();
  advance(1000);
  await expect(check()).rejects.toThrow('q: no progress for 121 s');
});

test('progress is life', async () => {
  const { state, check, advance, now } = underTest();
  state.waiting = 5;
  for (let i = 0; i < 10; i += 1) {
    advance(MINUTE);
    state.progressAt = now();
    await check();
  }
});

test('work that comes after a long idle time gets its two minutes', async () => {
  const { state, check, advance } = underTest();
  advance(60 * MINUTE);
  state.waiting = 1;
  await expect(check()).resolves.toBeUndefined();
});

test('a Redis that is away is not the fault of the process', async () => {
  const { state, check, advance } = underTest();
  state.held = 1;
  await check();
  state.isRedisAway = true;
  advance(60 * MINUTE);
  await expect(check()).resolves.toBeUndefined();
});

test('a clock that is set forward is no time without progress', async () => {
  const progressAt = performance.now();
  const consumer = { queue: 'q', lastProgressAt: () => progressAt, heldJobs: () => 1 };
  const check = progressCheck(consumer, { depth: async () => ({}) });
  await check();
  const set = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 5 * MINUTE);
  await expect(check()).resolves.toBeUndefined();
  set.mockRestore();
});
