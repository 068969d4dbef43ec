import { Gathered, rowOf } from './json-lines';
import { damage, tooLarge, type Row } from './row';

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The elements of arrays, each alone or as `results` of an answer, one after the other as pages are put into a file. Only their
 * bounds are looked for here, and each is parsed by itself, so that one that is not JSON does not end the file.
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
    if (bounds.damage !== undefined) break;
  }
  const error = bounds.damage ?? bounds.lack;
  if (error !== undefined) yield damage(number + 1, error);
}

const CUT = 'the file ends in the middle: it is cut off or damaged here';
const NO_ARRAY = 'there is no array where one should begin';
const OTHER = 'what follows the array was not read';

/** White space of JSON, and the bytes of the mark that some programs begin a file with. */
const BETWEEN: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

const RESULTS = 'results';

class Bounds {
  private isInAnswer = false;
  private isInArray = false;
  /** Of what is open within the array, or else within the answer. */
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  /** The last string of an answer, as far as it may be the name of its array. */
  private name = '';
  private hasArray = false;
  private isFirst = true;
  private element = new Gathered();
  /** Why nothing can be read from here on. */
  damage: string | undefined;

  /** What is missing when nothing more comes. */
  get lack(): string | undefined {
    if (this.isInArray || this.isInAnswer) return CUT;
    return this.isFirst ? NO_ARRAY : undefined;
  }

  *elementsIn(chunk: Buffer): Generator<Gathered> {
    let start = 0;
    for (let at = 0; at < chunk.length && this.damage === undefined; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.isInString) this.readString(byte);
      else if (!this.isInArray) {
        this.readAround(byte);
        start = at + 1;
      } else if (this.endsElement(byte)) {
        this.element.add(chunk.subarray(start, at));
        yield this.element;
        this.element = new Gathered();
        start = at + 1;
        this.isInArray = byte === COMMA;
      } else this.readStructure(byte);
    }
    if (this.isInArray) this.element.add(chunk.subarray(start));
  }

  private endsElement(byte: number): boolean {
    return this.depth === 0 && (byte === COMMA || byte === CLOSE_ARRAY);
  }

  private readAround(byte: number): void {
    if (this.isInAnswer) return this.readAnswer(byte);
    if (byte === OPEN_ARRAY) this.enterArray();
    else if (byte === OPEN_OBJECT) [this.isInAnswer, this.hasArray, this.name] = [true, false, ''];
    else if (!this.isFirst && !BETWEEN.has(byte)) this.damage = OTHER;
  }

  private readAnswer(byte: number): void {
    if (this.depth > 0 || byte === QUOTE) return this.readStructure(byte);
    if (byte === CLOSE_OBJECT) {
      this.isInAnswer = false;
      if (!this.hasArray) this.damage = this.isFirst ? NO_ARRAY : OTHER;
    } else if (byte === OPEN_ARRAY && !this.hasArray && (this.isFirst || this.name === RESULTS)) this.enterArray();
    else this.readStructure(byte);
  }

  private enterArray(): void {
    [this.isInArray, this.hasArray, this.isFirst] = [true, true, false];
  }

  private readString(byte: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === BACKSLASH) this.isEscaped = true;
    else if (byte === QUOTE) this.isInString = false;
    if (!this.isInArray && this.isInString && this.depth === 0 && this.name.length <= RESULTS.length)
      this.name += String.fromCharCode(byte);
  }

  private readStructure(byte: number): void {
    if (byte === QUOTE) {
      this.isInString = true;
      if (!this.isInArray && this.depth === 0) this.name = '';
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.depth = Math.max(0, this.depth - 1);
  }
}
