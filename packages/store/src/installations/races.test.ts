import { openUntilWritten, RACED } from './races';

const contest = { app: 'a', record: 'r', doing: 'saved' };

test('after lost races those of one record go on one after the other, others beside them', async () => {
  const untilWritten = openUntilWritten();
  const late: string[] = [];
  const run = (name: string, record: string | undefined, wins: number) =>
    untilWritten({ ...contest, record }, (lost) => {
      if (lost >= 3) late.push(name);
      return Promise.resolve(lost < wins ? RACED : name);
    });
  const all = [run('first', 'r', 8), run('second', 'r', 4), run('other', 's', 3), run('nameless', undefined, 3)];
  expect(await Promise.all(all)).toEqual(['first', 'second', 'other', 'nameless']);
  expect(late.filter((name) => name === 'first' || name === 'second')).toEqual([
    ...Array.from({ length: 6 }, () => 'first'),
    ...['second', 'second'],
  ]);
  expect(late.indexOf('other')).toBeLessThan(late.indexOf('second'));
  expect(late.indexOf('nameless')).toBeLessThan(late.indexOf('second'));
});

test('who loses every race says so, and does not stand in the way of the next', async () => {
  const untilWritten = openUntilWritten(0);
  let tries = 0;
  const losing = untilWritten(contest, () => {
    tries += 1;
    return Promise.resolve(RACED);
  });
  await expect(losing).rejects.toThrow('an installation of app a: changed by others 20 times while it was saved');
  expect(tries).toBe(20);
  expect(await untilWritten(contest, (lost) => Promise.resolve(lost < 3 ? RACED : 'written'))).toBe('written');
});

test('who loses many races within a short time goes on', async () => {
  const untilWritten = openUntilWritten();
  expect(await untilWritten(contest, (lost) => Promise.resolve(lost < 25 ? RACED : 'written'))).toBe('written');
});
