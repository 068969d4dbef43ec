import { each, type Params } from './params';
import { assemble, type Constants } from './source';

interface Case {
  readonly params?: Params;
  readonly constants?: Constants;
}

/** Assembles `main` out of files that stand here. */
const assembled = (files: Readonly<Record<string, string>>, { params = {}, constants = {} }: Case = {}): string =>
  assemble('main', { params, constants }, (file) => files[file] ?? `no file ${file}`);

describe('the text of a script', () => {
  it('binds the names of its first line', () => {
    const params = { count: 'key', want: 'number' } as const;
    const text = assembled({ main: '-- Counts.\nlocal count, want = ...\nreturn want' }, { params });
    expect(text).toBe('-- Counts.\nlocal count, want = KEYS[1], tonumber(ARGV[1])\nreturn want');
  });

  it('is refused when its names are not the declared ones', () => {
    const main = 'local count, wanted = ...\nreturn wanted';
    const params = { count: 'key', want: 'number' } as const;
    expect(() => assembled({ main }, { params })).toThrow(
      'main.lua names as its parameters (count, wanted), declared are (count, want)',
    );
    expect(() => assembled({ main: 'return 1' }, { params })).toThrow('names as its parameters ()');
  });

  it('is refused when it tells other fields of a list of records', () => {
    const params = { pushes: each({ record: 'key', errors: each({ code: 'text' }) }) };
    const header = '-- each of pushes: record,\n--   errors.\n-- each of errors: ';
    expect(() => assembled({ main: `${header}code.\nlocal pushes = ...` }, { params })).not.toThrow();
    expect(() => assembled({ main: `${header}text.\nlocal pushes = ...` }, { params })).toThrow(
      'main.lua names as its fields of errors (text), declared are (code)',
    );
  });

  it('holds a shared part as what its chunk returns, and one that the shared part includes', () => {
    const files = {
      main: "local lists = include('kit/lists')\nreturn lists(2)",
      'kit/lists': "local one = include('kit/one')\nreturn function(n) return n + one end",
      'kit/one': 'return 1',
    };
    expect(assembled(files).replaceAll(/\s+/g, ' ')).toBe(
      'local lists = (function() local one = (function() return 1 end)() return function(n) return n + one end end)() return lists(2)',
    );
  });

  it('is refused when its parts include each other', () => {
    const files = { main: "return include('a')", a: "return include('b')", b: "return include('a')" };
    expect(() => assembled(files)).toThrow('main.lua includes a.lua includes b.lua includes a.lua, which is a circle');
  });

  it('has its constants written out, but not in texts and comments', () => {
    const constants = { LIMIT: 10, FIELD: { status: "it's\\" } };
    const main = '-- LIMIT of FIELD.status\nreturn redis.call(\'LIMIT\', FIELD.status, "LIMIT", LIMIT)';
    expect(assembled({ main }, { constants })).toBe(
      "-- LIMIT of FIELD.status\nreturn redis.call('LIMIT', 'it\\'s\\\\', \"LIMIT\", 10)",
    );
  });

  it.each([
    ['a constant that nobody declared', 'return LIMITS'],
    ['a field that the group does not have', 'return FIELD.state'],
    ['a whole group', 'return FIELD'],
  ])('is refused when it names %s', (_, main) => {
    expect(() => assembled({ main }, { constants: { LIMIT: 1, FIELD: { status: 's' } } })).toThrow(
      /main\.lua names \S+, which is no constant/,
    );
  });
});
