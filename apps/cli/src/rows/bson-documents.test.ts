import { serialize } from 'bson';
import { portionsOf, type Portion } from './portions';
import { readRows } from './read-rows';
import type { Row } from './row';

async function rowsIn(bytes: Buffer): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const input = (async function* () {
    yield Promise.resolve(bytes);
  })();
  for await (const row of readRows({ path: 'export', input, onRead: () => undefined })) rows.push(row);
  return rows;
}

const [first, second] = [serialize({ a: 1 }), serialize({ b: 'long enough' })];
const sound = { number: 1, text: '{"a":1}' };

it.each([
  [
    'a length that no document has',
    Buffer.concat([first, Buffer.alloc(8, 0xff), second]),
    'cannot be a document of -1 bytes; what follows was not read',
  ],
  ['a cut', Buffer.concat([first, second.subarray(0, 12)]), 'the file ends in the middle of this document'],
  [
    'a cut in a document that is too large',
    Buffer.concat([first, serialize({ b: 'x'.repeat(300_000) }).subarray(0, 290_000)]),
    'the file ends in the middle of this document',
  ],
])('%s is damage', async (_name, bytes, error) => {
  const rows = await rowsIn(bytes);
  expect(rows[0]).toEqual(sound);
  expect(rows.at(-1)).toEqual({ number: rows.length, error, isDamage: true });
});

it('a portion of damage alone says which row was the last before it', async () => {
  async function* rows(): AsyncGenerator<Row> {
    for (let number = 1; number <= 20_001; number += 1) yield Promise.resolve({ number, text: '{}' });
    yield { number: 20_002, error: 'cut', isDamage: true };
  }
  async function* onlyDamage(): AsyncGenerator<Row> {
    yield Promise.resolve({ number: 20_002, error: 'cut', isDamage: true as const });
  }
  const lastOf = async (source: AsyncIterable<Row>): Promise<Portion | undefined> => {
    let last: Portion | undefined;
    for await (const portion of portionsOf(source)) last = portion;
    return last;
  };
  expect(await lastOf(rows())).toMatchObject({ number: 20_001, damage: 'cut' });
  expect(await lastOf(onlyDamage())).toEqual({ sound: [], bad: [], damage: 'cut', number: 20_001 });
});
