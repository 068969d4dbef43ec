import { readNumber } from '../exact-json';
import type { Json } from '../json';
import { refuse, tokensOf, type Token } from './tokens';

/** Walks through the words of a query, from the first to the last. */
export class Reader {
  private readonly tokens: readonly Token[];
  private next = 0;
  private nextValue = 0;

  constructor(
    cql: string,
    private readonly values: readonly Json[],
  ) {
    this.tokens = tokensOf(cql);
  }

  private get current(): Token {
    return this.tokens[this.next] ?? { kind: 'end', text: 'the end' };
  }

  /** Whether the next words are these, which are then behind us. Keywords may be written in any case. */
  take(...texts: readonly string[]): boolean {
    const isNext = texts.every((text, i) => {
      const token = this.tokens[this.next + i];
      return token !== undefined && token.kind !== 'string' && token.text.toLowerCase() === text;
    });
    if (isNext) this.next += texts.length;
    return isNext;
  }

  expect(text: string): void {
    if (!this.take(text)) this.complain(`${text} is missing`);
  }

  name(): string {
    if (this.current.kind !== 'word') this.complain('a name is missing');
    return this.advance().text;
  }

  isAtEnd(): boolean {
    return this.current.kind === 'end';
  }

  complain(why: string): never {
    return refuse(`${why} before ${JSON.stringify(this.current.text)}`);
  }

  wholeNumber(): number {
    const value = this.value();
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) this.complain('a whole number is missing');
    return value;
  }

  /** A literal, or the next of the given values for a question mark. */
  value(): Json {
    const { kind, text } = this.current;
    if (kind === 'number') return readNumber(this.advance().text);
    if (kind === 'string') return this.advance().text;
    if (this.take('?')) return this.values[this.nextValue++] ?? refuse('there are fewer pvalues than question marks');
    if (this.take('true')) return true;
    if (this.take('false')) return false;
    if (this.take('date')) return { __type: 'Date', iso: this.onlyArgument('date') };
    return this.complain(kind === 'word' ? `${text} is not a value that can be used here,` : 'a value is missing');
  }

  /** `( value, … )`, or a question mark that stands for a list. */
  list(): readonly Json[] {
    if (this.take('?')) {
      const given = this.values[this.nextValue++];
      return Array.isArray(given) ? (given as readonly Json[]) : refuse('a list among the pvalues is missing');
    }
    this.expect('(');
    const items = [this.value()];
    while (this.take(',')) items.push(this.value());
    this.expect(')');
    return items;
  }

  private onlyArgument(of: string): string {
    this.expect('(');
    const value = this.value();
    this.expect(')');
    return typeof value === 'string' ? value : refuse(`${of}() needs a string`);
  }

  private advance(): Token {
    const token = this.current;
    this.next += 1;
    return token;
  }
}
