import { setTimeout as delay } from 'node:timers/promises';
import { openTurns } from './in-turn';

test('what concerns one thing runs in the order in which it was asked for, other things beside it', async () => {
  const inTurn = openTurns();
  const said: string[] = [];
  const work = (name: string, ms: number) => async (): Promise<string> => {
    said.push(`${name} begins`);
    await delay(ms);
    said.push(`${name} ends`);
    return name;
  };
  const asked = [inTurn('a', work('first', 30)), inTurn('a', work('second', 0)), inTurn('b', work('other', 0))];
  expect(await Promise.all(asked)).toEqual(['first', 'second', 'other']);
  expect(said).toEqual(['first begins', 'other begins', 'other ends', 'first ends', 'second begins', 'second ends']);
});

test('a failure is its own', async () => {
  const inTurn = openTurns();
  const failing = inTurn('a', () => Promise.reject(new Error('failed')));
  const next = inTurn('a', () => Promise.resolve('went on'));
  await expect(failing).rejects.toThrow('failed');
  expect(await next).toBe('went on');
});
