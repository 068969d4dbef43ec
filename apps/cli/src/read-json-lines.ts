import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { fileError, systemCode } from './errors';
import type { Io } from './io';
import { withoutMark } from './json-input';

export interface JsonLine {
  /** Counted from 1, empty lines included. */
  readonly number: number;
  readonly bytes: number;
  /** Absent when the line is not JSON. */
  readonly value?: unknown;
}

/** The lines of a file, read as they are asked for, or of standard input for `-`; empty lines are left out. */
export async function* readJsonLines(io: Io, path: string): AsyncGenerator<JsonLine> {
  let number = 0;
  try {
    for await (const line of linesOf(path === '-' ? Readable.from(io.readInPieces()) : createReadStream(path))) {
      number += 1;
      const text = number === 1 ? withoutMark(line) : line;
      if (text.trim() !== '') yield { number, bytes: Buffer.byteLength(text), ...parsed(text) };
    }
  } catch (cause) {
    if (systemCode(cause) === undefined) throw cause;
    throw fileError(path, 'read', cause);
  }
}

const linesOf = (input: Readable): AsyncIterable<string> => createInterface({ input, crlfDelay: Infinity });

/** The parser's own message repeats parts of the text, which holds secrets. */
function parsed(text: string): { readonly value?: unknown } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return {};
  }
}
