import { sharedRuns } from './shared-runs';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('those who ask during a run share the next one, and no two run beside each other', async () => {
  const ends: ((found: number) => void)[] = [];
  const ask = sharedRuns(() => new Promise<number>((resolve) => ends.push(resolve)));
  const [first, ...others] = [ask(), ask(), ask()];
  expect(ends).toHaveLength(1);
  ends[0]?.(1);
  expect(await first).toBe(1);
  await turn();
  const late = ask();
  expect(ends).toHaveLength(2);
  ends[1]?.(2);
  expect(await Promise.all(others)).toEqual([2, 2]);
  await turn();
  ends[2]?.(3);
  expect(await late).toBe(3);
});

test('a run that fails fails for those who waited for it, and not for the next ones', async () => {
  let runs = 0;
  const ask = sharedRuns(async () => {
    runs += 1;
    if (runs === 1) throw new Error('away');
    return runs;
  });
  const [first, second] = [ask(), ask()];
  await expect(first).rejects.toThrow('away');
  expect(await second).toBe(2);
});
