import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Io } from './io';
import { readJsonLines, type JsonLine } from './read-json-lines';

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'pushfleet-lines-'))));
afterAll(() => rm(folder, { recursive: true }));

async function* inPieces(text: string, bytes: number, onPiece: () => void): AsyncGenerator<Buffer> {
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += bytes) {
    onPiece();
    yield Promise.resolve(all.subarray(at, at + bytes));
  }
}

function inputOf(text: string, bytes: number, onPiece = (): void => undefined): Io {
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
  { number: 4, bytes: 4 },
];

it.each([1, 2, 7, 1000])('reads standard input in pieces of %i bytes', async (bytes) => {
  expect(await all(readJsonLines(inputOf(TEXT, bytes), '-'))).toEqual(LINES);
});

it('reads a file the same way', async () => {
  const path = join(folder, 'lines');
  await writeFile(path, TEXT);
  expect(await all(readJsonLines(inputOf('', 1), path))).toEqual(LINES);
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
