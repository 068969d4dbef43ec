import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { openStore } from '../../open-store';
import { LUA_FOLDER } from './source';

const filesBelow = (folder: string, ending: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => relative(folder, join(folder, file)));

const SOURCES = join(__dirname, '../..');
const luaFiles = filesBelow(LUA_FOLDER, '.lua').map((file) => file.slice(0, -'.lua'.length));
const luaText = (file: string): string => readFileSync(join(LUA_FOLDER, `${file}.lua`), 'utf8');

const declared = filesBelow(SOURCES, '.ts')
  .filter((file) => !file.endsWith('.test.ts'))
  .flatMap((file) => [...readFileSync(join(SOURCES, file), 'utf8').matchAll(/\b(?:lua|book)Script\(\s*'([\w/-]+)'/g)])
  .map(([, name = '']) => name);

const included = luaFiles.flatMap((file) =>
  [...luaText(file).matchAll(/\binclude\('([\w/-]+)'\)/g)].map(([, name = '']) => name),
);

describe('the files of Lua', () => {
  it('are each declared once or included', () => {
    expect([...declared, ...new Set(included)].sort()).toEqual([...luaFiles].sort());
  });

  it('are assembled, all of them, with the names that their declarations give', () => {
    expect(openStore).toBeInstanceOf(Function);
  });

  it.each(luaFiles)('%s takes what it takes by name', (file) => {
    expect(luaText(file)).not.toMatch(/\b(KEYS|ARGV)\b/);
  });
});
