import { Turnstile } from './turnstile';

test('no more tasks than places are under way, one that fails gives its place back, and all have their turn', async () => {
  const turnstile = new Turnstile(2);
  let inside = 0;
  let most = 0;
  const task = async (n: number): Promise<number> => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
    if (n % 3 === 0) throw new Error('failed');
    return n;
  };
  const results = await Promise.allSettled(Array.from({ length: 9 }, (_, n) => turnstile.pass(() => task(n))));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
  expect(most).toBe(2);
});
