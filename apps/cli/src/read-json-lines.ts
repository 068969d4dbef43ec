import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { fileError, systemCode, UsageError } from './errors';
import type { Io } from './io';
import { isCutOff } from './is-cut-off';
import { withoutMark } from './json-input';
import { refuseUtf16 } from './refuse-utf16';

export interface JsonLine {
  /** Counted from 1, empty lines included. */
  readonly number: number;
  readonly bytes: number;
  /** Absent when the line is not JSON. */
  readonly value?: unknown;
  /** The file ends in the middle of it. */
  readonly isCutOff?: true;
}

/** The lines of a file, read as they are asked for, or of standard input for `-`; empty lines are left out. */
export async function* readJsonLines(io: Io, path: string): AsyncGenerator<JsonLine> {
  let number = 0;
  let last: JsonLine | undefined;
  let lastText = '';
  try {
    for await (const read of linesOf(path === '-' ? io.readInPieces() : createReadStream(path), path)) {
      number += 1;
      const text = number === 1 ? withoutMark(read) : read;
      if (text.trim() === '') continue;
      if (last) yield last;
      last = { number, bytes: Buffer.byteLength(text), ...parsed(text) };
      lastText = text;
    }
  } catch (cause) {
    if (systemCode(cause) === undefined) throw cause;
    throw fileError(path, 'read', cause);
  }
  if (last) yield atTheEnd(last, lastText);
}

const atTheEnd = (line: JsonLine, text: string): JsonLine =>
  'value' in line || !isCutOff(text) ? line : { ...line, isCutOff: true };

const linesOf = (input: AsyncIterable<Buffer>, path: string): AsyncIterable<string> =>
  createInterface({ input: Readable.from(withoutOthers(input, path)), crlfDelay: Infinity });

/** Refuses what has no lines of JSON, in the place of each of its lines. */
async function* withoutOthers(chunks: AsyncIterable<Buffer>, path: string): AsyncGenerator<Buffer> {
  const name = path === '-' ? 'standard input' : path;
  let head: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (head.length < HEAD_BYTES) {
      head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES)]);
      refuseUtf16(head, name);
      if (head[0] === 0x1f && head[1] === 0x8b) throw new UsageError(`${name}: is gzipped: unpack it first`);
    }
    yield chunk;
  }
}

const HEAD_BYTES = 4;

/** The parser's own message repeats parts of the text, which holds secrets. */
function parsed(text: string): { readonly value?: unknown } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return {};
  }
}
