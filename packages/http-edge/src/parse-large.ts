import { setImmediate as nextTurn } from 'node:timers/promises';
import { LIMITS, overLimit, type Json } from '@pushfleet/domain';
import { malformedJson, parseJson, utf8Of } from './parse-json';

/** What the engine parses at once, in less than a millisecond. */
const PIECE_BYTES = 64 * 1024;
/** Parsing may keep the process to itself for this long before others get their turn. */
const TURN_MS = 4;
/** Steps between two looks at the clock. */
const STEPS = 1024;
/** A piece is longer only by one text that fills it. */
const MAX_PIECE_BYTES = LIMITS.textBytes.value + PIECE_BYTES;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Longer bodies are parsed in pieces. */
const LARGE_BYTES = 256 * 1024;

export const isLarge = (body: Buffer): boolean => body.length > LARGE_BYTES;

/** The limit of how deep a body nests. */
export type BodyLevels = 'jsonLevels' | 'batchJsonLevels';

/** A list or an object that has begun. */
interface Level {
  readonly isList: boolean;
  /** Where its bracket stands. */
  readonly begin: number;
  /** What is parsed of it; undefined while all of it may still be one piece. */
  value: Json[] | Record<string, Json> | undefined;
  /** Where what is not parsed yet begins. */
  from: number;
  /** Where its latest member begins. */
  member: number;
  /** Commas between its members so far. */
  commas: number;
  /** What stands before `from` is a comma, and what is a member by itself. */
  before: 'nothing' | 'comma' | 'member';
}

/**
 * Parses a large JSON text as `readJson` does, but in pieces, with turns for others in between: a scan of the bytes finds
 * where pieces end, the engine parses them.
 */
export async function parseLarge(bytes: Buffer, limit: BodyLevels, signal: AbortSignal): Promise<Json> {
  const parser = new PieceParser(bytes, limit);
  let turnEndsAt = performance.now() + TURN_MS;
  while (parser.advance(turnEndsAt)) {
    await nextTurn();
    signal.throwIfAborted();
    turnEndsAt = performance.now() + TURN_MS;
  }
  return parser.result();
}

class PieceParser {
  private readonly levels: Level[] = [];
  private at = 0;
  private root: { readonly begin: number; end: number; value: Json | undefined } | undefined;
  private hasParsed = false;
  /** `at` is an escaped quote. */
  private isInText = false;

  constructor(
    private readonly bytes: Buffer,
    private readonly limit: BodyLevels,
  ) {}

  /** Goes on until the turn is over; false at the end of the text. */
  advance(turnEndsAt: number): boolean {
    const { bytes } = this;
    for (let steps = 1; this.at < bytes.length; steps += 1) {
      this.step(bytes[this.at] as number);
      if (!this.isInText) this.at += 1;
      if (!this.hasParsed && steps % STEPS !== 0) continue;
      this.hasParsed = false;
      if (performance.now() >= turnEndsAt) return true;
    }
    return false;
  }

  result(): Json {
    const { bytes, root } = this;
    if (this.levels.length > 0 || this.isInText) throw malformedJson();
    if (!root) return parseJson(this.text(0, bytes.length));
    requireBlank(this.text(0, root.begin));
    requireBlank(this.text(root.end, bytes.length));
    return root.value ?? parseJson(this.text(root.begin, root.end));
  }

  private text(from: number, to: number): string {
    if (to - from > MAX_PIECE_BYTES) throw overLimit('textBytes', 'a text of the body: may have');
    return utf8Of(this.bytes.subarray(from, to));
  }

  private step(byte: number): void {
    if (byte === QUOTE || this.isInText) return this.skipText();
    if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.open(byte === OPEN_LIST);
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.close(byte === CLOSE_LIST);
    else if (byte === COMMA) this.comma();
  }

  /** Stops at the next quote, which ends the text unless it is escaped. */
  private skipText(): void {
    const { bytes } = this;
    const close = bytes.indexOf(QUOTE, this.at + 1);
    if (close < 0) throw malformedJson();
    let slashes = 0;
    while (bytes[close - 1 - slashes] === BACKSLASH) slashes += 1;
    this.isInText = slashes % 2 === 1;
    this.at = close;
  }

  private open(isList: boolean): void {
    const { at } = this;
    if (this.levels.length === 0) {
      if (this.root) throw malformedJson();
      this.root = { begin: at, end: at, value: undefined };
    }
    if (this.levels.length >= LIMITS[this.limit].value) throw overLimit(this.limit, 'the body nests too deep:');
    const place = { begin: at, from: at + 1, member: at + 1, commas: 0 };
    this.levels.push({ isList, ...place, value: undefined, before: 'nothing' });
  }

  private comma(): void {
    const level = this.levels.at(-1);
    if (!level) throw malformedJson();
    level.commas += 1;
    if (level.commas >= LIMITS.members.value) throw overLimit('members', 'a list or an object of the body may have');
    if (level.before === 'member' || this.at - level.from >= PIECE_BYTES) {
      this.takeUpToHere(level);
      level.before = 'comma';
    }
    level.member = this.at + 1;
  }

  private close(isList: boolean): void {
    const level = this.levels.at(-1);
    if (level?.isList !== isList) throw malformedJson();
    const isLarge = level.value !== undefined || this.at - level.from >= PIECE_BYTES;
    if (isLarge) this.takeLast(level);
    this.levels.pop();
    const parent = this.levels.at(-1);
    if (parent && isLarge) this.attach(level, parent);
    else if (!parent && this.root) Object.assign(this.root, { end: this.at + 1, value: level.value });
  }

  /** Parses the members up to a comma. */
  private takeUpToHere(level: Level): void {
    this.openAround();
    const text = this.text(level.from, this.at);
    if (level.before === 'member') requireBlank(text);
    else append(level, text);
    level.from = this.at + 1;
    this.hasParsed = true;
  }

  /** Parses what is left before the closing bracket. */
  private takeLast(level: Level): void {
    this.openAround();
    const text = this.text(level.from, this.at);
    if (level.before === 'member') requireBlank(text);
    else if (level.before === 'comma' || !isBlank(text)) append(level, text);
    level.value ??= level.isList ? [] : {};
    this.hasParsed = true;
  }

  /** What is around a level that is parsed in pieces is parsed in pieces, too: at first, what stands before it. */
  private openAround(): void {
    for (const level of this.levels.slice(0, -1)) {
      if (level.before === 'member') throw malformedJson();
      if (level.member > level.from) append(level, this.text(level.from, level.member - 1));
      level.value ??= level.isList ? [] : {};
      level.from = level.member;
    }
  }

  /** Puts a level that was parsed in pieces where it belongs. */
  private attach({ begin, value }: Level, parent: Level): void {
    const head = this.text(parent.from, begin);
    if (Array.isArray(parent.value)) {
      requireBlank(head);
      parent.value.push(value as Json);
    } else {
      const [key = ''] = Object.keys(parseJson(`{${head}null}`) as object);
      setOwn(parent.value as Record<string, Json>, key, value as Json);
    }
    parent.from = this.at + 1;
    parent.before = 'member';
  }
}

function append(level: Level, text: string): void {
  if (isBlank(text)) throw malformedJson();
  level.value ??= level.isList ? [] : {};
  const piece = parseJson(level.isList ? `[${text}]` : `{${text}}`) as Json[] | Record<string, Json>;
  if (Array.isArray(level.value)) for (const item of piece as Json[]) level.value.push(item);
  else for (const [key, item] of Object.entries(piece)) setOwn(level.value, key, item);
}

/** As the engine does it, for which `__proto__` is a name like any other. */
function setOwn(object: Record<string, Json>, key: string, value: Json): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

const isBlank = (text: string): boolean => /^[ \t\n\r]*$/.test(text);

function requireBlank(text: string): void {
  if (!isBlank(text)) throw malformedJson();
}
