import { until } from '@pushfleet/testing';
import { repeat } from './repeat';

test('runs again after a failure, and tells of it', async () => {
  const errors: unknown[] = [];
  let runs = 0;
  const repeated = repeat(
    1,
    async () => {
      runs += 1;
      if (runs === 1) throw new Error('first');
    },
    (error) => errors.push(error),
  );
  await until(() => runs >= 3);
  await repeated.stop();
  expect(errors).toEqual([new Error('first')]);
});

test('a pause that is longer than a timer can be is no end of pauses', async () => {
  let runs = 0;
  const repeated = repeat(30 * 86_400_000, async () => void (runs += 1), fail);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await repeated.stop();
  expect(runs).toBe(0);
});

const fail = (error: unknown): never => {
  throw error;
};

test('never runs beside itself', async () => {
  let now = 0;
  let most = 0;
  let runs = 0;
  const run = async (): Promise<void> => {
    most = Math.max(most, (now += 1));
    await new Promise((resolve) => setTimeout(resolve, 5));
    now -= 1;
    runs += 1;
  };
  const repeated = repeat(0, run, () => undefined);
  await until(() => runs >= 3);
  await repeated.stop();
  expect(most).toBe(1);
});

test('a stop waits for the run under way, and none follows', async () => {
  let runs = 0;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const repeated = repeat(
    0,
    async () => {
      await held;
      runs += 1;
    },
    () => undefined,
  );
  await new Promise((resolve) => setTimeout(resolve, 10));
  const stopped = repeated.stop();
  release();
  await stopped;
  expect(runs).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(runs).toBe(1);
});
