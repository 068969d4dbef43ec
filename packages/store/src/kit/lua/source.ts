import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bindings, type Params } from './params';

/** The same from `src` and from `dist`. */
export const LUA_FOLDER = join(__dirname, '../../../lua');

export type Constant = string | number;
/** Facts of TypeScript that a script names in capitals: `MAX_PAGES`, or `FIELD.status` of a group. */
export type Constants = Readonly<Record<string, Constant | Readonly<Record<string, Constant>>>>;

export interface Declared {
  readonly params: Params;
  readonly constants: Constants;
}

/** The text of a file by its name below the folder, without the ending. */
type ReadLua = (file: string) => string;

const readLua: ReadLua = (file) => readFileSync(join(LUA_FOLDER, `${file}.lua`), 'utf8').trimEnd();

/** The text that Redis runs: parameters bound, shared parts in place, constants written out. */
export function assemble(file: string, { params, constants }: Declared, read = readLua): string {
  const text = read(file);
  requireHeader(file, text, params);
  const bound = text.replace(HEADER, bindings(params));
  return withConstants(file, withIncludes(bound, [file], read), constants);
}

/** A script begins as every Lua chunk that takes something does. */
const HEADER = /^local ([\w, \n]+?) = \.\.\.$/m;
/** The fields of a list of records, told to the reader of the script. */
const EACH = /^-- each of (\w+): ([\w, \n-]+)\.$/gm;

function requireHeader(file: string, text: string, params: Params): void {
  requireSame(file, 'parameters', { told: wordsOf(HEADER.exec(text)?.[1]), declared: Object.keys(params) });
  const told = new Map([...text.matchAll(EACH)].map(([, name = '', fields]) => [name, wordsOf(fields)]));
  for (const [name, fields] of recordsIn(params))
    requireSame(file, `fields of ${name}`, { told: told.get(name) ?? [], declared: fields });
}

const wordsOf = (text = ''): readonly string[] => text.match(/\w+/g) ?? [];

function recordsIn(params: Params): readonly (readonly [name: string, fields: readonly string[]])[] {
  return Object.entries(params).flatMap(([name, kind]) =>
    typeof kind === 'string' ? [] : [[name, Object.keys(kind.each)] as const, ...recordsIn(kind.each)],
  );
}

interface Names {
  readonly told: readonly string[];
  readonly declared: readonly string[];
}

function requireSame(file: string, what: string, { told, declared }: Names): void {
  if (told.join() === declared.join()) return;
  throw new Error(`${file}.lua names as its ${what} (${told.join(', ')}), declared are (${declared.join(', ')})`);
}

const INCLUDE = /\binclude\('([\w/-]+)'\)/g;

/** A shared part is a Lua module: a chunk that returns its table. */
function withIncludes(text: string, path: readonly string[], read: ReadLua): string {
  return text.replaceAll(INCLUDE, (_, file: string) => {
    if (path.includes(file)) throw new Error(`${[...path, file].join('.lua includes ')}.lua, which is a circle`);
    return `(function()\n${withIncludes(read(file), [...path, file], read)}\nend)()`;
  });
}

/** Texts and comments are passed over; a name in capitals is a constant, but for what Redis and the bindings give. */
const TOKENS = /--[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\b([A-Z][A-Z_]+)\b(?:\.(\w+))?/g;

function withConstants(file: string, text: string, constants: Constants): string {
  const known = new Map(Object.entries(constants));
  return text.replaceAll(TOKENS, (token, name: string | undefined, field: string | undefined) => {
    if (name === undefined || name === 'KEYS' || name === 'ARGV') return token;
    const group = known.get(name);
    const value = typeof group === 'object' ? new Map(Object.entries(group)).get(field ?? '') : group;
    if (value === undefined) throw new Error(`${file}.lua names ${token}, which is no constant of its declaration`);
    const literal = typeof value === 'number' ? String(value) : quoted(value);
    return typeof group === 'object' || field === undefined ? literal : `${literal}.${field}`;
  });
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
