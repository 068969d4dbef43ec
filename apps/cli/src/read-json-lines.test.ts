import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Io } from './io';
import { readJsonLines, type JsonLine } from './read-json-lines';

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'pushfleet-lines-'))));
afterAll(() => rm(folder, { recursive: true }));

async function* inPieces(text: string | Buffer, bytes: number, onPiece: () => void): AsyncGenerator<Buffer> {
  const all = typeof text === 'string' ? Buffer.from(text) : text;
  for (let at = 0; at < all.length; at += bytes) {
    onPiece();
    yield Promise.resolve(all.subarray(at, at + bytes));
  }
}

function inputOf(text: string | Buffer, bytes: number, onPiece = (): void => undefined): Io {
  const refuse = (): never => {
    throw new Error('not here');
  };
  return {
    ...{ env: {}, isTerminal: false, writeOut: refuse, writeErr: refuse, pipeOut: refuse, untilInterrupted: refuse },
    ...{ readIn: refuse, readInPieces: () => inPieces(text, bytes, onPiece) },
  };
}

async function all(lines: AsyncIterable<JsonLine>): Promise<readonly JsonLine[]> {
  const read: JsonLine[] = [];
  for await (const line of lines) read.push(line);
  return read;
}

const TEXT = '\uFEFF{"a":"张三"}\r\n\n{"b":2}\n{"c"\n';
const LINES = [
  { number: 1, bytes: 14, value: { a: '张三' } },
  { number: 3, bytes: 7, value: { b: 2 } },
  { number: 4, bytes: 4, isCutOff: true },
];

it.each([1, 2, 7, 1000])('reads standard input in pieces of %i bytes', async (bytes) => {
  expect(await all(readJsonLines(inputOf(TEXT, bytes), '-'))).toEqual(LINES);
});

it('reads a file the same way', async () => {
  const path = join(folder, 'lines');
  await writeFile(path, TEXT);
  expect(await all(readJsonLines(inputOf('', 1), path))).toEqual(LINES);
});

it.each(['{"a":1}\n{"b" 2}', '{"a":1}\n{"b"\n{"c":1}'])(
  'is not cut off where it is wrong in another way: %s',
  async (text) => {
    expect((await all(readJsonLines(inputOf(text, 1), '-'))).filter(({ isCutOff }) => isCutOff)).toEqual([]);
  },
);

it.each([
  ['gzipped', gzipSync('{"a":1}\n')],
  ['UTF-16', Buffer.from('\uFEFF{"a":1}\n', 'utf16le')],
])('refuses what is %s, and does not take each line of it for a bad one', async (what, content) => {
  for (const bytes of [1, 1000])
    await expect(all(readJsonLines(inputOf(content, bytes), '-'))).rejects.toThrow(`standard input: is ${what}`);
  const path = join(folder, what);
  await writeFile(path, content);
  await expect(all(readJsonLines(inputOf('', 1), path))).rejects.toThrow(`${path}: is ${what}`);
});

it('holds no more of standard input than a few pieces', async () => {
  let pieces = 0;
  const lines = readJsonLines(
    inputOf('{"a":1}\n'.repeat(100_000), 8000, () => (pieces += 1)),
    '-',
  );
  expect((await lines.next()).value).toMatchObject({ number: 1 });
  expect(pieces).toBeLessThan(50);
  await lines.return(undefined);
});
