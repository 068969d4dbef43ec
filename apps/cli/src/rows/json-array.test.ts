import { readRows, type Format } from './read-rows';
import type { Row } from './row';

async function* inChunks(text: string, bytes: number): AsyncGenerator<Buffer> {
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += bytes) yield Promise.resolve(all.subarray(at, at + bytes));
}

async function rowsIn(text: string, { bytes = 1000, format }: { bytes?: number; format?: Format } = {}) {
  const rows: Row[] = [];
  for await (const row of readRows({ path: 'export', input: inChunks(text, bytes), format, onRead: () => undefined }))
    rows.push(row);
  return rows;
}
const valuesIn = (rows: readonly Row[]): readonly unknown[] =>
  rows.map((row) => ('text' in row ? (JSON.parse(row.text) as unknown) : row.error));

const [a, b, c] = [{ objectId: 'a', list: ['x]}'] }, { objectId: 'b' }, { objectId: 'c' }];
const text = JSON.stringify;

const REST = 'what follows the array was not read';
const CUT = 'the file ends in the middle: it is cut off or damaged here';

describe('pages one after the other', () => {
  it.each([
    ['an answer a line', `${text({ results: [a, b] })}\n${text({ results: [c] })}\n`],
    ['answers back to back', text({ results: [a] }) + text({ results: [] }) + text({ results: [b, c] })],
    ['answers of Windows', `\uFEFF${text({ results: [a] })}\r\n\uFEFF${text({ results: [b, c] })}\r\n`],
    ['arrays', `${text([a, b])}\n${text([c])}`],
    ['arrays back to back', text([a, b]) + text([c])],
    [
      'answers with more than results',
      text({ results: [a], of: ['_Installation', { results: [7] }], ']': '[' }) + text({ count: 2, results: [b, c] }),
    ],
  ])('are all read: %s', async (_name, content) => {
    for (const bytes of [1000, 7, 1]) {
      // The first four bytes tell what the file is.
      const rows = await rowsIn(content, { bytes, format: 'json' });
      expect(valuesIn(rows)).toEqual([a, b, c]);
      expect(rows.map(({ number }) => number)).toEqual([1, 2, 3]);
    }
    expect(valuesIn(await rowsIn(content))).toEqual([a, b, c]);
  });

  it.each([
    ['text', `${text([a])} nothing`, REST],
    ['a comma', `${text([a])},${text([b])}`, REST],
    ['an answer that refuses', `${text({ results: [a] })}\n${text({ code: 1, error: '[no]' })}\n${text([b])}`, REST],
    ['a row outside', `${text([a])}\n${text({ objectId: 'b', channels: [] })}\n${text([b])}`, REST],
    ['an array that ends in the middle', `${text([a])}\n[{"objectId":`, CUT],
    ['an answer that ends in the middle', `{"results":${text([a])},"count`, CUT],
  ])('end with damage where something else stands: %s', async (_name, content, damage) => {
    for (const bytes of [1000, 1]) {
      const rows = await rowsIn(content, { bytes, format: 'json' });
      expect(valuesIn(rows)).toEqual([a, damage]);
      expect(rows.at(-1)).toEqual({ number: 2, error: damage, isDamage: true });
    }
  });

  it.each([`${text({ code: 1 })}${text([a])}`, 'nothing', ' '])('begin with an array, unlike %j', async (content) => {
    const refused = await rowsIn(content, { format: 'json' });
    expect(refused).toEqual([{ number: 1, error: 'there is no array where one should begin', isDamage: true }]);
  });

  it('may call the first array by another name, when it is said to be one', async () => {
    expect(valuesIn(await rowsIn(text({ devices: [a, b] }), { format: 'json' }))).toEqual([a, b]);
  });
});
