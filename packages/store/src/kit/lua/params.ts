/** What a script takes under a name: `key` and `keys` become KEYS, the others ARGV; `bytes` are no text. Lists are tables in Lua. */
export type ParamKind = 'key' | 'text' | 'bytes' | 'number' | 'keys' | 'texts' | Each<Params>;

export type Params = Readonly<Record<string, ParamKind>>;

/** A list of records, each with the same named fields. */
export interface Each<Fields extends Params> {
  readonly each: Fields;
}

export const each = <const Fields extends Params>(fields: Fields): Each<Fields> => ({ each: fields });

type Scalar = string | number;

type ValueOf<Kind> =
  Kind extends Each<infer Fields>
    ? readonly Values<Fields>[]
    : Kind extends 'key'
      ? string
      : Kind extends 'number'
        ? number
        : Kind extends 'keys'
          ? readonly string[]
          : Kind extends 'texts'
            ? readonly Scalar[]
            : Kind extends 'bytes'
              ? Scalar | Buffer
              : Scalar;

export type Values<P> = { readonly [Name in keyof P]: ValueOf<P[Name]> };

export interface Call {
  readonly keys: string[];
  readonly args: (Scalar | Buffer)[];
}

const isEach = (kind: ParamKind): kind is Each<Params> => typeof kind === 'object';
const isList = (kind: ParamKind): boolean => isEach(kind) || kind === 'keys' || kind === 'texts';

/** Single values first: their places are known when a script is assembled. The order is that of `bindings`. */
function inOrder(params: Params): readonly (readonly [name: string, kind: ParamKind])[] {
  const entries = Object.entries(params);
  return [...entries.filter(([, kind]) => !isList(kind)), ...entries.filter(([, kind]) => isList(kind))];
}

type Named = Readonly<Record<string, unknown>>;
type Encode = (values: Named, call: Call) => void;

/** Writes named values as KEYS and ARGV, each list led by its length. It runs for every push: loops, and no copies. */
export function encoderOf(params: Params): Encode {
  const entries = inOrder(params);
  const namesOf = (...kinds: readonly ParamKind[]): readonly string[] =>
    entries.filter(([, kind]) => kinds.includes(kind)).map(([name]) => name);
  const [keyNames, argNames] = [namesOf('key'), namesOf('text', 'bytes', 'number')];
  const lists = entries.filter(([, kind]) => isList(kind)).map(([name, kind]) => listEncoder(name, kind));
  return (values, call) => {
    for (const name of keyNames) call.keys.push(values[name] as string);
    for (const name of argNames) call.args.push(values[name] as Scalar);
    for (const encode of lists) encode(values, call);
  };
}

function listEncoder(name: string, kind: ParamKind): Encode {
  if (isEach(kind)) {
    const encode = encoderOf(kind.each);
    return (values, call) => {
      const records = values[name] as readonly Named[];
      call.args.push(records.length);
      for (const record of records) encode(record, call);
    };
  }
  return (values, { keys, args }) => {
    const list = values[name] as readonly string[];
    const to = kind === 'keys' ? keys : args;
    args.push(list.length);
    for (const value of list) to.push(value);
  };
}

/** Lua that gives the names of the parameters to what `encoderOf` writes, on one line. */
export function bindings(params: Params): string {
  const names = Object.keys(params);
  if (names.length === 0) return '';
  const entries = inOrder(params);
  const places = placesOf(entries);
  const singles = `local ${names.join(', ')} = ${names.map((name) => places.of.get(name) ?? 'nil').join(', ')}`;
  const lists = entries.filter(([, kind]) => isList(kind)).map(([name, kind]) => readList(name, kind, 1));
  if (lists.length === 0) return singles;
  return `${singles} do local k, a = ${places.keys}, ${places.args} ${lists.join(' ')} end`;
}

interface Places {
  /** The expression of each single value. */
  readonly of: ReadonlyMap<string, string>;
  readonly keys: number;
  readonly args: number;
}

function placesOf(entries: readonly (readonly [string, ParamKind])[], from = ''): Places {
  const of = new Map<string, string>();
  let [keys, args] = [0, 0];
  for (const [name, kind] of entries) {
    if (isList(kind)) continue;
    if (kind === 'key') of.set(name, `KEYS[${from && 'k + '}${(keys += 1)}]`);
    else if (kind === 'number') of.set(name, `tonumber(ARGV[${from && 'a + '}${(args += 1)}])`);
    else of.set(name, `ARGV[${from && 'a + '}${(args += 1)}]`);
  }
  return { of, keys, args };
}

/**
 * `k` and `a` stand before the next key and argument; the depth keeps the names of nested lists apart. A record is made with
 * all of its lists at once, because a table that grows is built anew.
 */
function readList(target: string, kind: ParamKind, depth: number): string {
  const [n, i, list, record] = [`n${depth}`, `i${depth}`, `t${depth}`, `r${depth}`];
  const make = depth === 1 ? `${target} = {}` : '';
  const count = `local ${n} = tonumber(ARGV[a + 1]) a = a + 1 ${make} local ${list} = ${target}`;
  if (!isEach(kind)) {
    const [from, cursor] = kind === 'keys' ? ['KEYS', 'k'] : ['ARGV', 'a'];
    return `do ${count} for ${i} = 1, ${n} do ${list}[${i}] = ${from}[${cursor} + ${i}] end ${cursor} = ${cursor} + ${n} end`;
  }
  const entries = inOrder(kind.each);
  const { of, keys, args } = placesOf(entries, 'cursor');
  const nested = entries.filter(([, each]) => isList(each));
  const fields = [...of, ...nested.map(([name]) => [name, '{}'])].map(([name, value]) => `${name} = ${value}`);
  const lists = nested.map(([name, each]) => readList(`${record}.${name}`, each, depth + 1)).join(' ');
  const fill = `local ${record} = { ${fields.join(', ')} } k, a = k + ${keys}, a + ${args}`;
  return `do ${count} for ${i} = 1, ${n} do ${fill} ${lists} ${list}[${i}] = ${record} end end`;
}
