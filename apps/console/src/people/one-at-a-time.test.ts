import { oneAtATime } from './one-at-a-time';

it('refuses a second change of a person while the first one waits, and of nobody else', async () => {
  const changing = oneAtATime();
  let finish: (word: string) => void = () => undefined;
  const first = changing('ann', () => new Promise<string>((resolve) => (finish = resolve)));
  await expect(changing('ann', () => Promise.resolve('second'))).rejects.toMatchObject({ problem: 'too-many-calls' });
  await expect(changing('bob', () => Promise.resolve('other'))).resolves.toBe('other');
  finish('first');
  await expect(first).resolves.toBe('first');
  await expect(changing('ann', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await expect(changing('ann', () => Promise.resolve('third'))).resolves.toBe('third');
});
