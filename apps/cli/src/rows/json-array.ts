import { Gathered, rowOf } from './json-lines';
import { tooLarge, type Row } from './row';

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The elements of an array, alone or as `results` of an answer. Only their bounds are looked for here, and each is
 * parsed by itself, so that one that is not JSON does not end the file.
 */
export async function* jsonArray(chunks: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  const bounds = new Bounds();
  let number = 0;
  for await (const chunk of chunks) {
    for (const element of bounds.elementsIn(chunk)) {
      const bytes = element.bytes();
      const rows = bytes ? [...rowOf(bytes, number + 1)] : [tooLarge(number + 1)];
      number += rows.length;
      yield* rows;
    }
  }
  if (!bounds.isOver)
    yield { number: number + 1, error: 'the array does not end: the file is cut off or damaged here' };
}

class Bounds {
  /** 0 outside of the array, 1 between its elements. */
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  private element = new Gathered();
  isOver = false;

  *elementsIn(chunk: Buffer): Generator<Gathered> {
    let start = this.depth === 0 ? this.enter(chunk) : 0;
    for (let at = start; at < chunk.length && !this.isOver; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.isInString) this.readString(byte);
      else if (this.endsElement(byte)) {
        this.element.add(chunk.subarray(start, at));
        yield this.element;
        this.element = new Gathered();
        start = at + 1;
        this.isOver = byte === CLOSE_ARRAY;
      } else this.readStructure(byte);
    }
    if (this.depth > 0 && !this.isOver) this.element.add(chunk.subarray(start));
  }

  private endsElement(byte: number): boolean {
    return this.depth === 1 && (byte === COMMA || byte === CLOSE_ARRAY);
  }

  private enter(chunk: Buffer): number {
    const opening = chunk.indexOf(OPEN_ARRAY);
    if (opening === -1) return chunk.length;
    this.depth = 1;
    return opening + 1;
  }

  private readString(byte: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === BACKSLASH) this.isEscaped = true;
    else if (byte === QUOTE) this.isInString = false;
  }

  private readStructure(byte: number): void {
    if (byte === QUOTE) this.isInString = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.depth = Math.max(1, this.depth - 1);
  }
}
