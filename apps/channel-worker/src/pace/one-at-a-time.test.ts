import { oneAtATime } from './one-at-a-time';

test('a run begins when the one before has ended, also badly', async () => {
  const events: string[] = [];
  let runs = 0;
  const task = async (): Promise<void> => {
    runs += 1;
    const run = runs;
    events.push(`begin ${run}`);
    await Promise.resolve();
    events.push(`end ${run}`);
    if (run === 1) throw new Error('badly');
  };
  const { run, stop } = oneAtATime(task);
  const [first, second] = await Promise.allSettled([run(), run()]);
  expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
  expect(events).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
  void run();
  await stop();
  expect(events.at(-1)).toBe('end 3');
  await run();
  expect(events.at(-1)).toBe('end 3');
});
