import { isAscii } from 'node:buffer';

/** A list of texts, or why there is none. */
export type ListAnswer = readonly string[] | Error;

/** `*`, `$`, the end of a line, and `0`. */
const [LIST, TEXT, RETURN, ZERO] = [0x2a, 0x24, 0x0d, 0x30];
/** The room grows to the longest answer and is used for those behind it; a very large one is given back. */
const FIRST_ROOM = 64 * 1024;
const KEPT_ROOM = 4 * 1024 * 1024;

/**
 * Reads lists of texts as Redis writes them ("Redis serialization protocol specification"). The texts of an answer are parts of one
 * string, which costs a quarter of what one object for each of them costs; whoever keeps one of them keeps the whole answer.
 */
export class ListDecoder {
  private bytes = Buffer.allocUnsafe(FIRST_ROOM);
  /** Bytes that have come. */
  private end = 0;
  /** Of the answer that is being read: what is still to come, and where it began and goes on. */
  private left: number | undefined;
  private begin = 0;
  private at = 0;
  /** Where its texts begin and end, in turns. */
  private places: number[] = [];

  /** Answers that are whole with these bytes. Throws on what is no answer to a question for a list. */
  take(chunk: Buffer): readonly ListAnswer[] {
    this.add(chunk);
    const answers: ListAnswer[] = [];
    for (let answer = this.next(); answer; answer = this.next()) answers.push(answer);
    if (answers.length > 0 && this.room > KEPT_ROOM) this.moveInto(FIRST_ROOM);
    return answers;
  }

  /** Bytes that are held for answers. */
  get room(): number {
    return this.bytes.length;
  }

  private add(chunk: Buffer): void {
    if (this.end + chunk.length > this.room) this.moveInto(this.room, chunk.length);
    this.end += chunk.copy(this.bytes, this.end);
  }

  /** Forgets what was read, and moves the rest to the front of so much room; of more where what is to come would not fit. */
  private moveInto(room: number, more = 0): void {
    const { bytes, end } = this;
    const from = this.left === undefined ? this.at : this.begin;
    const needed = end - from + more;
    const size = needed > room ? Math.max(2 * room, needed) : room;
    if (size !== bytes.length) this.bytes = Buffer.allocUnsafe(size);
    bytes.copy(this.bytes, 0, from, end);
    this.begin -= from;
    this.at -= from;
    this.end -= from;
    this.places = this.places.map((place) => place - from);
  }

  private next(): ListAnswer | undefined {
    if (this.left === undefined) {
      const line = this.readLine();
      if (line === undefined) return undefined;
      if (line.startsWith('-')) return new Error(line.slice(1));
      if (line.charCodeAt(0) !== LIST) throw new Error(`${line.slice(0, 40)} is no list`);
      this.left = Number(line.slice(1));
      this.begin = this.at;
      this.places = [];
    }
    while (this.left > 0) {
      if (!this.readPlace()) return undefined;
      this.left -= 1;
    }
    this.left = undefined;
    return this.texts();
  }

  private readLine(): string | undefined {
    const length = this.bytes.subarray(this.at, this.end).indexOf('\r\n');
    if (length < 0) return undefined;
    const line = this.bytes.toString('utf8', this.at, this.at + length);
    this.at += length + 2;
    return line;
  }

  /** False when the next text has not come to its end. */
  private readPlace(): boolean {
    const { bytes, end } = this;
    let next = this.at;
    if (next < end && bytes[next] !== TEXT) throw new Error('a list holds more than texts');
    let length = 0;
    for (next += 1; next < end && bytes[next] !== RETURN; next += 1)
      length = length * 10 + (bytes[next] as number) - ZERO;
    const from = next + 2;
    const to = from + length;
    if (to + 2 > end) return false;
    this.places.push(from, to);
    this.at = to + 2;
    return true;
  }

  private texts(): readonly string[] {
    const { bytes, begin, at, places } = this;
    const texts = new Array<string>(places.length / 2);
    const whole = bytes.subarray(begin, at);
    const all = isAscii(whole) ? whole.toString('latin1') : undefined;
    for (let i = 0; i < texts.length; i += 1) {
      const [from, to] = [places[2 * i] as number, places[2 * i + 1] as number];
      texts[i] = all === undefined ? bytes.toString('utf8', from, to) : all.slice(from - begin, to - begin);
    }
    return texts;
  }
}
