import { isUtf8 } from 'node:buffer';
import { InvalidInput } from '@pushfleet/domain';
import { UsageError } from '../errors';
import { isCutOff } from '../is-cut-off';
import { plainText } from './plain-json';
import { damage, MAX_ROW_BYTES, tooLarge, type Row } from './row';

const NEWLINE = 0x0a;

/** A row on each line; empty lines are left out, and so are header lines, which begin with `#`. */
export async function* jsonLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  let number = 0;
  let line = new Gathered();
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      line.add(chunk.subarray(start, end));
      start = end + 1;
      number += 1;
      yield* rowsOf(line, number);
      line = new Gathered();
    }
    line.add(chunk.subarray(start));
  }
  yield* lastRowOf(line, number + 1);
}

/** Behind it is no newline: a file that was cut off ends so, too. */
function* lastRowOf(line: Gathered, number: number): Generator<Row> {
  for (const row of rowsOf(line, number))
    yield 'error' in row && isCutOff(line.bytes()?.toString() ?? '') ? damage(number, CUT) : row;
}

const CUT = 'the file ends in the middle of a row: it is cut off or damaged here';

function* rowsOf(line: Gathered, number: number): Generator<Row> {
  const whole = line.bytes();
  const bytes = whole?.subarray(0, MARK.length).equals(MARK) ? whole.subarray(MARK.length) : whole;
  if (!bytes) yield tooLarge(number);
  else if (bytes[0] === HASH) checkHeader(bytes.toString());
  else if (bytes.length > 0) yield* rowOf(bytes, number);
}

const HASH = 0x23;
/** The byte order mark that some programs begin a file with. */
const MARK = Buffer.from('\uFEFF');

/** LeanCloud export: `#filetype:JSON-streaming {"type":"Class","class":"_Installation"}`. */
function checkHeader(line: string): void {
  const [, name] = /"class"\s*:\s*"(\w+)"/.exec(line) ?? [];
  if (name !== undefined && name !== '_Installation')
    throw new UsageError(`the file holds objects of the class ${name}, not of _Installation`);
}

/** Nothing for white space alone. The parser's own message repeats parts of the text. */
export function* rowOf(bytes: Buffer, number: number): Generator<Row> {
  if (!isUtf8(bytes)) return yield { number, error: 'is not UTF-8' };
  const text = bytes.toString().trim();
  if (text === '') return;
  if (!text.startsWith('{')) return yield { number, error: 'is not a JSON object' };
  try {
    yield { number, text: plainText(text) };
  } catch (error) {
    yield { number, error: error instanceof InvalidInput ? error.message : 'is not JSON' };
  }
}

/** Pieces of one row, dropped as soon as they are too many. */
export class Gathered {
  private pieces: Buffer[] = [];
  private size = 0;

  add(piece: Buffer): void {
    if (piece.length === 0) return;
    this.size += piece.length;
    if (this.size > MAX_ROW_BYTES) this.pieces = [];
    else this.pieces.push(piece);
  }

  /** Undefined when they were too many. */
  bytes(): Buffer | undefined {
    if (this.size > MAX_ROW_BYTES) return undefined;
    const [only] = this.pieces;
    return this.pieces.length === 1 && only ? only : Buffer.concat(this.pieces);
  }
}
