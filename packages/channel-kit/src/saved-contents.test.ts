import { openSavedContents, sendSaved } from './saved-contents';

it('pages that ask at the same time save once', async () => {
  const saved = openSavedContents(2);
  let calls = 0;
  const save = (): Promise<string> => Promise.resolve(`id-${(calls += 1)}`);
  expect(await Promise.all([saved.get('a', save), saved.get('a', save)])).toEqual(['id-1', 'id-1']);
});

it('a save that failed is not remembered', async () => {
  const saved = openSavedContents(2);
  await expect(saved.get('a', () => Promise.reject(new Error('busy')))).rejects.toThrow('busy');
  expect(await saved.get('a', () => Promise.resolve('id'))).toBe('id');
});

it('the content that was not asked for longest makes room', async () => {
  const saved = openSavedContents(2);
  for (const key of ['a', 'b', 'a', 'c']) await saved.get(key, () => Promise.resolve(`old ${key}`));
  expect(await saved.get('a', () => Promise.resolve('new a'))).toBe('old a');
  expect(await saved.get('b', () => Promise.resolve('new b'))).toBe('new b');
});

it('only the id that the vendor forgot is dropped', async () => {
  const saved = openSavedContents(2);
  await saved.get('a', () => Promise.resolve('second'));
  await saved.drop('a', 'first');
  expect(await saved.get('a', () => Promise.resolve('third'))).toBe('second');
  await saved.drop('a', 'second');
  expect(await saved.get('a', () => Promise.resolve('third'))).toBe('third');
});

it('a content that the vendor forgot is saved once more, and the new id serves the pages that follow', async () => {
  const saved = openSavedContents(2);
  const sent: string[] = [];
  const call = {
    key: 'a',
    save: (forgotten = 'first') => Promise.resolve(`id after ${forgotten}`),
    send: (id: string) => Promise.resolve(sent.push(id)),
    isForgotten: (calls: number) => calls === 1,
  };
  const again = 'id after id after first';
  expect(await sendSaved(saved, call)).toEqual({ answer: 2, id: again });
  expect(await sendSaved(saved, call)).toEqual({ answer: 3, id: again });
  expect(sent).toEqual(['id after first', again, again]);
});
