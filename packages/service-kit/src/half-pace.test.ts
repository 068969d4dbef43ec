import { HalfPace } from './half-pace';

/** Portions that take these times; resolves with what was done. */
async function paced(times: readonly number[]): Promise<readonly string[]> {
  const done: string[] = [];
  let now = 0;
  const pace = new HalfPace({ now: () => now, rest: async (ms) => void done.push(`rest ${ms}`) });
  for (const ms of times) {
    const portion = pace.portion(async () => {
      done.push(`work ${ms}`);
      now += ms;
      if (ms > 1000) throw new Error('too much');
    });
    await portion.catch((error: Error) => done.push(error.message));
  }
  return done;
}

it('rests before each portion as long as the one before took, and not before the first', async () => {
  expect(await paced([3, 5, 1])).toEqual(['work 3', 'rest 3', 'work 5', 'rest 5', 'work 1']);
});

it('rests no longer than 20 ms, and behind a portion that failed too', async () => {
  expect(await paced([300, 2000, 1])).toEqual(['work 300', 'rest 20', 'work 2000', 'too much', 'rest 20', 'work 1']);
});
