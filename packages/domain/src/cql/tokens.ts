import { InvalidInput } from '../invalid-input';

export interface Token {
  /** `word` is a name or a keyword; `sign` an operator or a mark. */
  readonly kind: 'word' | 'string' | 'number' | 'sign' | 'end';
  readonly text: string;
}

const PATTERN =
  /\s+|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<word>[A-Za-z_][\w.-]*)|(?<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?<sign><=|>=|!=|<>|[=<>(),*?])/gy;

export function refuse(why: string): never {
  throw new InvalidInput('invalid-cql', `cql: ${why}`);
}

/** The words of a query, the last of them its end. */
export function tokensOf(cql: string): readonly Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of cql.matchAll(PATTERN)) {
    end = match.index + match[0].length;
    const { number, word, string, sign } = match.groups ?? {};
    if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else if (string !== undefined) tokens.push({ kind: 'string', text: unquote(string) });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
  }
  if (end < cql.length) refuse(`cannot be understood from ${JSON.stringify(cql.slice(end, end + 20))} on`);
  return [...tokens, { kind: 'end', text: 'the end' }];
}

const unquote = (text: string): string => text.slice(1, -1).replace(/\\(.)/gs, '$1');
