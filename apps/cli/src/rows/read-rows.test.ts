import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { Binary, DBRef, Decimal128, EJSON, Long, ObjectId, serialize } from 'bson';
import { portionsOf } from './portions';
import { readRows, type Format } from './read-rows';
import { MAX_ROW_BYTES, type Row } from './row';

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'pushfleet-rows-'))));
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
async function rowsIn(content: Buffer | string, format?: Format): Promise<readonly Row[]> {
  const path = join(folder, `export-${(files += 1)}`);
  await writeFile(path, content);
  const rows: Row[] = [];
  let read = 0;
  for await (const row of readRows({ path, format, onRead: (bytes) => (read += bytes) })) rows.push(row);
  expect(read).toBeLessThanOrEqual(Buffer.byteLength(content));
  return rows;
}
const valuesIn = (rows: readonly Row[]): readonly unknown[] =>
  rows.map((row) => ('text' in row ? (JSON.parse(row.text) as unknown) : row.error));

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

const documents = [
  { objectId: 'a', city: '北京 "x\\" ]},', deep: { list: [1, [2, { n: null }]] } },
  { objectId: 'b', channels: ['', 'news'] },
  { objectId: 'c' },
];

const spelled: readonly (readonly [name: string, content: string | Buffer])[] = [
  ['an array', JSON.stringify(documents)],
  ['an indented array', `\n ${JSON.stringify(documents, null, 2)}\n`],
  ['the results of an answer', `{ "results": ${JSON.stringify(documents)}, "count": 3 }`],
  ['lines', documents.map((one) => JSON.stringify(one)).join('\n')],
  ['lines of Windows', `${documents.map((one) => JSON.stringify(one)).join('\r\n')}\r\n`],
  ['BSON', Buffer.concat(documents.map((one) => serialize(one)))],
];

describe.each(spelled)('%s', (_name, content) => {
  it('is read as it is', async () => {
    const rows = await rowsIn(content);
    expect(valuesIn(rows)).toEqual(documents);
    expect(rows.map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  it('is read from a pipe that brings it byte by byte', async () => {
    for (const bytes of [Buffer.from(content), gzipSync(content)]) {
      const input = Readable.from(Array.from(bytes, (byte) => Buffer.of(byte)));
      const rows: Row[] = [];
      for await (const row of readRows({ path: 'standard input', input, onRead: () => undefined })) rows.push(row);
      expect(valuesIn(rows)).toEqual(documents);
    }
  });

  it('is read gzipped, and in several parts that were gzipped apart', async () => {
    expect(valuesIn(await rowsIn(gzipSync(content)))).toEqual(documents);
    const bytes = Buffer.from(content);
    const parts = [gzipSync(bytes.subarray(0, 40)), gzipSync(bytes.subarray(40))];
    expect(valuesIn(await rowsIn(Buffer.concat(parts)))).toEqual(documents);
  });
});

it.each(['json', 'jsonl', 'bson'] as const)(
  'a long export as %s is read over the borders of chunks',
  async (format) => {
    const many = Array.from({ length: 20_000 }, (_, i) => ({ objectId: `o${i}`, text: '中]"\\'.repeat(i % 17) }));
    const content = {
      json: () => JSON.stringify(many),
      jsonl: () => many.map((one) => JSON.stringify(one)).join('\n'),
      bson: () => Buffer.concat(many.map((one) => serialize(one))),
    }[format]();
    expect(valuesIn(await rowsIn(content))).toEqual(many);
    expect(valuesIn(await rowsIn(gzipSync(content)))).toEqual(many);
  },
);

describe('a bad row', () => {
  it('on a line does not end the file, and has its line number', async () => {
    const rows = await rowsIn('{"a":1}\n\n{"a":\n[1]\n{"b":"\xff"}\n{"c":3}'.replace('\xff', 'é'));
    expect(rows.map(({ number }) => number)).toEqual([1, 3, 4, 5, 6]);
    expect(valuesIn(rows)).toEqual([{ a: 1 }, 'is not JSON', 'is not a JSON object', { b: 'é' }, { c: 3 }]);
  });

  it('in an array does not end the file', async () => {
    expect(valuesIn(await rowsIn('[{"a":1}, nothing, {"a" 2}, 7, "x", {"c":3},]'))).toEqual([
      { a: 1 },
      'is not a JSON object',
      'is not JSON',
      'is not a JSON object',
      'is not a JSON object',
      { c: 3 },
    ]);
  });

  it('with a number that cannot be kept says so', async () => {
    const rows = await rowsIn(`{"a":${'9'.repeat(65)}}\n{"b":1e999}\n{"c":3}`);
    expect(valuesIn(rows)).toEqual([
      expect.stringContaining('at most 64 digits'),
      expect.stringContaining('at most 1.8e308'),
      { c: 3 },
    ]);
  });

  it('that is not UTF-8 is told', async () => {
    const latin = Buffer.from('{"a":"\xe9"}\n{"b":1}', 'latin1');
    expect(valuesIn(await rowsIn(latin))).toEqual(['is not UTF-8', { b: 1 }]);
  });

  it('in BSON does not end the file', async () => {
    const broken = serialize({ a: 'x' });
    broken[4] = 0x7e;
    const content = Buffer.concat([serialize({ a: 1 }), broken, serialize({ c: 3 })]);
    expect(valuesIn(await rowsIn(content))).toEqual([{ a: 1 }, 'is not BSON', { c: 3 }]);
  });

  it('never repeats the row', async () => {
    expect(JSON.stringify(await rowsIn('{"secret": top-secret}'))).not.toContain('top-secret');
  });
});

describe('a row that is far too large', () => {
  const large = { objectId: 'large', text: 'x'.repeat(MAX_ROW_BYTES) };

  it.each([
    ['an array', JSON.stringify([large, { b: 1 }])],
    ['lines', `${JSON.stringify(large)}\n{"b":1}`],
    ['BSON', Buffer.concat([serialize(large), serialize({ b: 1 })])],
    ['BSON, over many chunks', Buffer.concat([serialize({ text: 'x'.repeat(3_000_000) }), serialize({ b: 1 })])],
  ])('is left out of %s', async (_name, content) => {
    expect(valuesIn(await rowsIn(content))).toEqual([expect.stringContaining('is larger than'), { b: 1 }]);
  });
});

describe('a file that is cut off', () => {
  it('is read up to there when it is gzipped', async () => {
    const lines = Array.from({ length: 5000 }, (_, i) => `{"objectId":"o${i * 7919}"}`).join('\n');
    const whole = gzipSync(lines);
    const rows = await rowsIn(whole.subarray(0, whole.length / 2));
    expect(rows.length).toBeGreaterThan(100);
    expect(valuesIn(rows).at(0)).toEqual({ objectId: 'o0' });
    expect(valuesIn(rows).at(-1)).toContain('the gzip data ends in the middle');
  });

  it.each([
    ['an array', '[{"a":1},{"b":'],
    ['BSON', Buffer.concat([serialize({ a: 1 }), serialize({ b: 'long enough' }).subarray(0, 12)])],
    ['lines', '{"a":1}\n{"b":'],
    ['lines, in a string', '{"a":1}\n{"b":"}'],
    ['lines, behind a closed object', '{"a":1}\n{"b":{"c":1}'],
    ['lines, in the middle of a character', Buffer.from('{"a":1}\n{"b":"é').subarray(0, -1)],
    ['lines that were gzipped when they were cut off', gzipSync('{"a":1}\n{"b":')],
  ])('is told of %s, and is no bad row', async (_name, content) => {
    const rows = await rowsIn(content);
    expect(valuesIn(rows)).toEqual([{ a: 1 }, expect.stringContaining('ends in the middle')]);
    expect(rows.at(-1)).toMatchObject({ number: 2, isDamage: true });
  });

  it.each([
    ['{"a":1}\n{"b" 2}', 'is not JSON'],
    ['{"a":1}\nnothing', 'is not a JSON object'],
    [Buffer.from('{"a":1}\n{"b":"\xe9"}', 'latin1'), 'is not UTF-8'],
  ])('is not seen in a last line that is wrong in another way: %s', async (content, error) => {
    expect((await rowsIn(content)).at(-1)).toEqual({ number: 2, error });
  });

  it('is told when its bytes were changed', async () => {
    const whole = gzipSync('{"a":1}\n'.repeat(100));
    whole.fill(0, 12, 30);
    expect(valuesIn(await rowsIn(whole)).at(-1)).toContain('damaged');
  });
});

describe('a file of another kind', () => {
  it.each([
    ['an empty one', '', 'is empty'],
    ['an empty gzip', gzipSync(''), 'is empty'],
    ['white space', ' \n ', 'neither'],
    ['CSV', 'objectId,vendor\na,HMS\n', 'neither'],
    ['a zip archive', Buffer.from('PK\u0003\u0004....'), 'unpack it first'],
    ['an archive of mongodump', Buffer.from('6de29981100000', 'hex'), '--out'],
    ['UTF-16', utf16('\uFEFF{"objectId":"a"}\n'), 'UTF-8'],
    ['UTF-16 without a mark', utf16('[{"objectId":"a"}]'), 'UTF-8'],
    ['UTF-16 of the other order', utf16('\uFEFF{"objectId":"a"}\n').swap16(), 'UTF-8'],
    ['UTF-16, gzipped', gzipSync(utf16('\uFEFF{"objectId":"a"}\n')), 'UTF-8'],
    ['another class', '#filetype:JSON-streaming {"type":"Class","class":"_User"}\n{}', 'class _User'],
  ])('%s is refused', async (_name, content, message) => {
    await expect(rowsIn(content)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(message),
    });
  });

  it('is seen behind a byte order mark, which is no part of the first row', async () => {
    await expect(rowsIn('\uFEFF#filetype:JSON-streaming {"class":"_User"}\n{}')).rejects.toThrow('class _User');
    const header = '\uFEFF#filetype:JSON-streaming {"class":"_Installation"}';
    expect(valuesIn(await rowsIn(`${header}\n{"a":1}`))).toEqual([{ a: 1 }]);
    expect(valuesIn(await rowsIn('\uFEFF{"a":1}\n\uFEFF{"b":2}'))).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it('that is not there is refused', async () => {
    const rows = readRows({ path: '/nowhere', onRead: () => undefined });
    await expect(rows.next()).rejects.toThrow('/nowhere: cannot be read (ENOENT)');
  });

  it('is taken for what it is said to be', async () => {
    expect(valuesIn(await rowsIn('objectId\n{"a":1}', 'jsonl'))).toEqual(['is not a JSON object', { a: 1 }]);
  });
});

describe('values of a database', () => {
  const id = new ObjectId('507f1f77bcf86cd799439011');
  const date = new Date('2026-01-02T03:04:05.006Z');
  const document = {
    _id: id,
    createdAt: date,
    seen: date,
    long: Long.fromString('9007199254740'),
    exact: Decimal128.fromString('1.5'),
    bytes: new Binary(Buffer.from('abc')),
    owner: new DBRef('_User', id),
    list: [{ at: date }, null],
  };
  const iso = { __type: 'Date', iso: date.toISOString() };
  const plain = {
    objectId: id.toHexString(),
    createdAt: iso,
    seen: iso,
    long: 9_007_199_254_740,
    exact: 1.5,
    bytes: { __type: 'Bytes', base64: 'YWJj' },
    owner: { __type: 'Pointer', className: '_User', objectId: id.toHexString() },
    list: [{ at: iso }, null],
  };

  it.each([
    ['BSON', Buffer.from(serialize(document))],
    ['relaxed extended JSON', EJSON.stringify(document, { relaxed: true })],
    ['canonical extended JSON', EJSON.stringify(document, { relaxed: false })],
  ])('of %s are spelled as the 1.1 API does', async (_name, content) => {
    expect(valuesIn(await rowsIn(content))).toEqual([plain]);
  });

  it('keep an objectId of their own', async () => {
    expect(valuesIn(await rowsIn('{"_id":"x","objectId":"y"}'))).toEqual([{ objectId: 'y' }]);
  });
});

it('portions hold every row once, in order, and no more than a request takes', async () => {
  async function* rows(): AsyncGenerator<Row> {
    for (let number = 1; number <= 24_000; number += 1)
      yield number % 7 === 0 ? { number, error: 'bad' } : { number, text: 'x'.repeat(2 * (number % 500)) };
  }
  let seen = 0;
  for await (const { sound, bad, number } of portionsOf(rows())) {
    seen += sound.length + bad.length;
    expect(number).toBe(seen);
    expect(sound.reduce((bytes, { text }) => bytes + text.length, 0)).toBeLessThanOrEqual(5 * 1024 * 1024);
  }
  expect(seen).toBe(24_000);
});

it('tells how far it is in a gzipped file by what was unpacked of it', async () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => `{"objectId":"${(i * 7919).toString(36)}"}`);
  const [path, content] = [join(folder, 'progress'), gzipSync(rows.join('\n'))];
  await writeFile(path, content);
  let [read, count] = [0, 0];
  const atRow = new Map<number, number>();
  for await (const { number } of readRows({ path, onRead: (bytes) => (read += bytes) }))
    atRow.set((count = number), read);
  expect((atRow.get(1) ?? 0) / content.length).toBeLessThan(0.9);
  expect([count, atRow.get(20_000)]).toEqual([20_000, content.length]);
});
